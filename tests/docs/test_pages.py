"""The project's pages hold what they promise: links lead somewhere, examples work, nothing private is in them."""

import doctest
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.rule_coverage import ROOT
from tools.installation import EVERYTHING


def project_files() -> list[Path]:
    """All files that are part of the project or about to be; what tools made is not."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
        found = [ROOT / name for name in listed.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):  # an unpacked archive, or a machine without git
        found = [path for path in ROOT.rglob("*") if not MADE_BY_TOOLS & set(path.relative_to(ROOT).parts)]
    return sorted(path for path in found if path.is_file())


MADE_BY_TOOLS = {
    ".git", ".venv", ".hypothesis", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".import_linter_cache",
    "__pycache__", "dist", "htmlcov", "mutants", "node_modules",
}  # fmt: skip
FILES = project_files()
PAGES = [path.relative_to(ROOT).as_posix() for path in FILES if path.suffix == ".md"]


def without_code(text: str) -> str:
    """A page without its code, in which brackets are no links."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))


def headings(page: Path) -> set[str]:
    """The anchors of a page's headings, as they are made on code hosting sites."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    lines = re.findall(r"^#+ +(.+?) *$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", line.lower()).replace(" ", "-") for line in lines}


@pytest.mark.parametrize("page", PAGES)
def test_every_link_within_the_project_leads_somewhere(page: str) -> None:
    path = ROOT / page
    for link in re.findall(r"\]\(([^)\s]+)\)", without_code(path.read_text("utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        assert target.exists(), f"{page}: {link}"
        if anchor and target.suffix == ".md":
            assert anchor in headings(target), f"{page}: {link}"


EXAMPLES = re.findall(
    r"^```(?:python|pycon)\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL | re.MULTILINE
)


def test_the_examples_in_the_readme_do_what_they_show() -> None:
    for example in EXAMPLES:
        parsed = doctest.DocTestParser().get_doctest(example, {}, "README.md", "README.md", 0)
        assert parsed.examples, "an example shows its session with >>>"
        said: list[str] = []
        results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(parsed, out=said.append)
        assert results.failed == 0, "".join(said)


PRIVATE = [
    re.compile(pattern)
    for pattern in (
        r"python[h]osted\.org",
        r"pypi\.[o]rg/simple",
        r"registry\.[n]pmjs",
        r"deb\.[d]ebian\.org",
        r"https?://[^\s/]*(?:mirror|artifactory|nexus)",
        r"file:[/]{3}",
        r"(?<![\w.<])/[w]ork/",
        r"(?<![\w.])/[r]oot/",
        r"(?<![\w.])/[h]ome/\w",
        r"(?<![\w.])/[o]pt/\w",
    )
]
"""Addresses of package registries and paths of somebody's machine. The brackets keep this list from finding itself."""


def test_no_file_names_a_registry_or_a_path_of_somebodys_machine() -> None:
    found = []
    for path in FILES:
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        found += [f"{path.relative_to(ROOT)}: {match.group()}" for each in PRIVATE for match in each.finditer(text)]
    assert found == []


@pytest.mark.parametrize(
    "text",
    ["see " + "/work" + "/main", "https://files.python" + "hosted.org/x", "file:" + "///x", "at /ro" + "ot/.x"],
)
def test_an_address_or_a_path_would_be_found(text: str) -> None:
    assert any(each.search(text) for each in PRIVATE)


def test_the_changelog_has_a_place_for_what_comes_next() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.search(r"^## \[?Unreleased\]?$", changelog, re.MULTILINE)


def test_every_decision_record_has_its_number_and_three_parts() -> None:
    records = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
    assert [path.name[:4] for path in records] == [f"{number:04}" for number in range(1, len(records) + 1)]
    for path in records:
        text = path.read_text("utf-8")
        assert text.startswith(f"# {int(path.name[:4])}. "), path.name
        parts = re.findall(r"^## (.+)$", text, re.MULTILINE)
        assert parts == ["Context", "Decision", "Consequences"], path.name


def test_every_package_the_project_needs_is_locked_with_hashes() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    needed = {**project["dependency-groups"], "serve": project["project"]["dependencies"]}
    assert needed.pop("dev") == [{"include-group": name} for name in needed if name != "serve"]
    assert set(EVERYTHING) == set(needed)
    for lock, packages in needed.items():
        locked = pinned(lock)
        assert all(locked.values()), "every package has hashes"
        names = {each.split("==")[0] for each in locked}
        for name in (re.split(r"[^a-z0-9-]", each)[0] for each in packages):
            assert name in names, f"{name} is missing in requirements/{lock}.lock: run `./run lock`"


def test_the_locks_agree_about_every_package() -> None:
    versions: dict[str, set[str]] = {}
    for lock in EVERYTHING:
        for name in pinned(lock):
            versions.setdefault(name.split("==")[0], set()).add(name)
    served = {name.split("==")[0]: set[str]() for name in pinned("serve")}
    for name in pinned("serve"):
        served[name.split("==")[0]].add(name)
    assert {name: each for name, each in versions.items() if name in served and not each <= served[name]} == {}


def pinned(lock: str) -> dict[str, list[str]]:
    """The packages of a lock with their versions, and the hashes of each."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in (ROOT / "requirements" / f"{lock}.lock").read_text("utf-8").splitlines():
        if re.match(r"[\w.-]+(\[[\w,-]+\])?==", line):
            name = re.sub(r"\[.*?\]", "", line).split()[0]
            found.setdefault(name, [])
        elif line.strip().startswith("--hash=sha256:"):
            found[name].append(line.strip(" \\"))
    return found
