"""`./run docs [FOLDER]`: the site of the docs, with its search, from the pages in docs/ and a few beside them.

The pages link to each other as files of the repository. On the site, a link to a file that the site does not have
becomes plain text.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "build" / "docs"
SITE = ROOT / "build" / "site"
BESIDE = {
    "CHANGELOG.md": "changelog.md",
    "CODE_OF_CONDUCT.md": "conduct.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "benchmarks/results.md": "results.md",
    **{f"examples/{path.name}": f"files/{path.name}" for path in sorted((ROOT / "examples").glob("*.py"))},
    **{f"deploy/{path.name}": f"files/{path.name}" for path in sorted((ROOT / "deploy").iterdir())},
}
"""File of the repository -> its place on the site. Files in docs/ keep theirs."""
LINK = re.compile(r"(!?)\[((?:[^\]\[]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
FENCE = re.compile(r"(^```.*?^```|`[^`\n]+`)", re.DOTALL | re.MULTILINE)


def places() -> dict[Path, str]:
    """Every file of the site, with its place."""
    docs = ROOT / "docs"
    own = {path: path.relative_to(docs).as_posix() for path in docs.rglob("*") if path.is_file()}
    return own | {ROOT / name: place for name, place in BESIDE.items()}


def with_links(text: str, file: Path, site: dict[Path, str]) -> str:
    """A page with the links that it has on the site."""
    here = Path(site[file]).parent

    def change(match: re.Match[str]) -> str:
        image, words, target = match.groups()
        name, hash_sign, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target) or not name:
            return match.group()
        place = site.get((file.parent / name).resolve())
        if place is None:
            return words
        return f"{image}[{words}]({os.path.relpath(place, here)}{hash_sign}{anchor})"

    parts = FENCE.split(text)  # every second one is code
    return "".join(part if i % 2 else LINK.sub(change, part) for i, part in enumerate(parts))


def gather() -> None:
    """Puts the files of the site together."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    site = places()
    for file, place in site.items():
        target = SOURCE / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".md":
            target.write_text(with_links(file.read_text("utf-8"), file, site), "utf-8")
        else:
            shutil.copy(file, target)


def build(site: Path) -> None:
    """Builds the site into a folder."""
    gather()
    zensical = Path(sys.executable).with_name("zensical")
    done = subprocess.run([zensical, "build", "--clean"], cwd=ROOT, text=True, capture_output=True, check=False)
    if done.returncode:
        sys.exit(f"The site could not be built:\n{done.stdout}{done.stderr}")
    if site != SITE:
        shutil.copytree(SITE, site, dirs_exist_ok=True)


def main() -> None:
    """Builds the site and says where it is."""
    parser = argparse.ArgumentParser(prog="./run docs", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=SITE, help="where the site goes")
    site = parser.parse_args().folder.resolve()
    build(site)
    print(f"The site is in {site}: open {site / 'index.html'}, or serve the folder with any web server.")


if __name__ == "__main__":
    main()
