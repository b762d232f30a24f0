"""The files in deploy/ name commands, options and settings that exist, and say what the guide says."""

import re
import shutil
import subprocess
import tomllib
from configparser import RawConfigParser
from pathlib import Path

import pytest
import typer.main
import yaml  # type: ignore[import-untyped]  # it brings no types

from threefold.cli import app
from threefold.web.settings import settings_from_environment

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
FILES = sorted(path for path in DEPLOY.iterdir() if path.is_file())
KNOWN = {
    name
    for place in ("web/settings.py", "cli/serve.py", "compiling.py")
    for name in re.findall(r"THREEFOLD_[A-Z_]+", (ROOT / "src" / "threefold" / place).read_text("utf-8"))
}


def options_of(command: str) -> set[str]:
    group = typer.main.get_command(app)
    found = group.commands[command]  # type: ignore[attr-defined]
    return {option for each in found.params for option in (*each.opts, *each.secondary_opts)}


def check_command(words: list[str]) -> None:
    command, *rest = words
    assert {word for word in rest if word.startswith("--")} <= options_of(command)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_setting_that_is_named_exists(path: Path) -> None:
    assert set(re.findall(r"THREEFOLD_[A-Z_]+", path.read_text("utf-8"))) <= KNOWN


UNITS = ["threefold@.service", "threefold-user.service"]


@pytest.mark.parametrize("name", UNITS)
def test_the_unit_starts_a_command_that_exists_and_leaves_time_to_go(name: str) -> None:
    unit = RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string((DEPLOY / name).read_text("utf-8"))
    words = unit["Service"]["ExecStart"].split()
    assert Path(words[0]).name == "threefold"
    check_command(words[1:])
    assert int(unit["Service"]["TimeoutStopSec"]) > 10


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
@pytest.mark.parametrize("name", UNITS)
def test_systemd_understands_the_unit(tmp_path: Path, name: str) -> None:
    text = re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", (DEPLOY / name).read_text("utf-8"), flags=re.MULTILINE)
    (tmp_path / name).write_text(text, "utf-8")
    outcome = subprocess.run(
        ["systemd-analyze", "verify", tmp_path / name], capture_output=True, text=True, check=False
    )
    assert (outcome.returncode, outcome.stderr) == (0, "")


def test_the_compose_file_holds_together() -> None:
    plan = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    services = plan["services"]
    assert set(services) == {"app1", "app2", "postgres", "nginx"}
    check_command(services["app1"]["command"])
    subnet = plan["networks"]["default"]["ipam"]["config"][0]["subnet"]
    assert services["app1"]["command"][-1] == subnet, "the proxy's network is the one that is trusted"
    assert (DEPLOY / services["app1"]["build"]["dockerfile"].removeprefix("deploy/")).exists()
    assert int(services["app1"]["stop_grace_period"].removesuffix("s")) > 10
    mounted = services["nginx"]["volumes"][0].split(":")[0]
    text = (DEPLOY / mounted).read_text("utf-8")
    assert set(re.findall(r"server (app\d):", text)) == {name for name in services if name.startswith("app")}


def test_the_compose_file_of_one_box_has_one_service_and_one_volume() -> None:
    plan = yaml.safe_load((DEPLOY / "compose-single.yaml").read_text("utf-8"))
    (service,) = plan["services"].values()
    check_command(service["command"])
    (volume,) = plan["volumes"]
    assert service["volumes"] == [f"{volume}:/data"], "the folder that the Containerfile names"
    assert "VOLUME /data\n" in (DEPLOY / "Containerfile").read_text("utf-8")
    assert (DEPLOY / service["build"]["dockerfile"].removeprefix("deploy/")).exists()


def test_the_container_serves_and_installs_nothing_without_a_hash_or_a_digest() -> None:
    text = (DEPLOY / "Containerfile").read_text("utf-8")
    found = re.search(r"CMD (\[\"serve\".*\])", text)
    assert found is not None
    check_command(yaml.safe_load(found.group(1)))
    assert set(re.findall(r"^FROM (\S+)", text, re.MULTILINE)) == {"${PYTHON_IMAGE}"}
    assert "ARG PYTHON_IMAGE\n" in text, "without a default"
    for command in re.findall(r"pip install .*", text):
        assert "--require-hashes" in command or "--no-index" in command, command
    for image in re.findall(r"image: (\S+)", (DEPLOY / "compose.yaml").read_text("utf-8")):
        assert image == "threefold" or re.fullmatch(r"\$\{\w+:\?pin", image), image


@pytest.mark.parametrize(("image", "fine"), [("python:3.12@sha256:0123", True), ("python:3.12", False), ("", False)])
def test_the_container_is_not_built_from_an_image_without_a_digest(image: str, *, fine: bool) -> None:
    text = (DEPLOY / "Containerfile").read_text("utf-8")
    check = re.search(r"^FROM .*\nARG PYTHON_IMAGE\nRUN (case .*)$", text, re.MULTILINE)
    assert check is not None, "the first command of the build"
    ran = subprocess.run(["sh", "-c", check.group(1)], env={"PYTHON_IMAGE": image}, check=False, capture_output=True)
    assert (ran.returncode == 0) is fine


@pytest.mark.parametrize("package", ["uvicorn", "websockets", "litestar"])
def test_packages_whose_inside_the_server_relies_on_have_an_upper_bound(package: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    (wanted,) = [each for each in project["dependencies"] if re.match(rf"{package}\b", each)]
    assert re.fullmatch(rf"{package}>=[\d.]+,<[\d.]+", wanted)


def test_the_container_installs_what_serves_and_builds_with_what_builds() -> None:
    text = (DEPLOY / "Containerfile").read_text("utf-8")
    _, build, serve = text.split("\nFROM ")
    assert set(re.findall(r"\w+\.lock", build)) == {"build.lock"}
    assert set(re.findall(r"\w+\.lock", serve)) == {"serve.lock"}


@pytest.mark.parametrize("name", ["nginx.conf", "compose-nginx.conf"])
def test_nginx_passes_on_what_the_server_needs(name: str) -> None:
    text = (DEPLOY / name).read_text("utf-8")
    for words in (
        "proxy_set_header X-Forwarded-For $remote_addr;",
        "proxy_set_header Host $http_host;",
        "proxy_set_header Upgrade $http_upgrade;",
        "proxy_next_upstream error timeout http_503;",
    ):
        assert words in text
    assert text.count("{") == text.count("}")
    assert len(re.findall(r"^    server .*;", text, re.MULTILINE)) == 2


def test_settings_are_read_from_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("THREEFOLD_SECRETS_FILE", str(tmp_path / "shared.json"))
    assert settings_from_environment().secrets_file == tmp_path / "shared.json"
    monkeypatch.setenv("THREEFOLD_SECRET", "x" * 30)
    assert settings_from_environment().keys() == settings_from_environment().keys()
    assert not (tmp_path / "shared.json").exists()
