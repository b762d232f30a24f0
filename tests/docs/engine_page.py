"""The engine protocol's page is a conversation: its answers are what the engine answers, or the page is wrong.

In a block marked `engine` a line that begins with `→` is a request and what follows, after `←`, is its answer.
Remake the answers after a change of the protocol: python -m tests.docs.engine_page
"""

import json
from pathlib import Path
from typing import Any

from threefold.engine import Engine

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "engine-protocol.md"
FENCE = "```engine"
WIDTH = 116


def with_answers(page: str) -> str:
    """The page with every answer as the engine gives it now."""
    engine = Engine()
    lines: list[str] = []
    inside = False
    for line in page.splitlines():
        if line.startswith("```"):
            inside = line == FENCE
        if inside and not line.startswith(("→", "```")):
            continue
        lines.append(line)
        if inside and line.startswith("→"):
            answer = engine.answer_line(line.removeprefix("→").strip().encode())
            lines += folded(json.loads(json.dumps(answer)))
    return "\n".join(lines) + "\n"


def folded(answer: Any) -> list[str]:
    """An answer, one line for each long field."""
    whole = _compact(answer)
    if len(whole) <= WIDTH:
        return [f"← {whole}"]
    rows = []
    for name, value in answer.items():
        rows += _field(name, value, "   ")
    rows[0] = "← {" + rows[0].lstrip()
    rows[-1] = rows[-1].removesuffix(",") + "}"
    return rows


def _field(name: str, value: Any, indent: str) -> list[str]:
    row = f"{indent}{json.dumps(name)}: {_compact(value)},"
    if len(row) <= WIDTH or not any(isinstance(each, list | dict) for each in _parts(value)):
        return [row]
    if isinstance(value, dict):
        inner = [line for key, each in value.items() for line in _field(key, each, indent + "  ")]
    else:
        inner = [f"{indent}  {_compact(each)}," for each in value]
    inner[-1] = inner[-1].removesuffix(",") + ("}," if isinstance(value, dict) else "],")
    return [f"{indent}{json.dumps(name)}: " + ("{" if isinstance(value, dict) else "["), *inner]


def _parts(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


if __name__ == "__main__":
    PAGE.write_text(with_answers(PAGE.read_text("utf-8")), "utf-8")
