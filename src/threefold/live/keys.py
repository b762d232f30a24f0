"""The server's secrets: the key that signs tokens, and the operator's token. Processes on one database share them."""

import hashlib
import hmac
import json
import os
import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

SHORTEST_SECRET = 24


class BadSecret(ValueError):
    """A secret that cannot be used."""


@dataclass(frozen=True, slots=True)
class Keys:
    """Secrets of the server and its operator."""

    signing_key: str
    operator_token: str
    new: bool = False
    """Generated just now: the operator has to be shown it."""

    @property
    def fingerprint(self) -> str:
        """Identifies the key without revealing it."""
        return hashlib.sha256(f"threefold fingerprint {self.signing_key}".encode()).hexdigest()[:16]

    def __repr__(self) -> str:
        return f"Keys({self.fingerprint})"


def keys_from(secret: str) -> Keys:
    """Both keys derived from one text, for machines that share no file."""
    if len(secret) < SHORTEST_SECRET:
        raise BadSecret(f"THREEFOLD_SECRET must have at least {SHORTEST_SECRET} letters")

    def derived(purpose: str) -> str:
        return hmac.new(secret.encode(), f"threefold {purpose}".encode(), hashlib.sha256).hexdigest()

    return Keys(derived("signing key"), derived("operator token")[:40])


def keys_in(path: Path) -> Keys:
    """The keys in a file: generated at the first start, readable by its owner alone. Processes may start together."""
    try:
        return _keys_in(path)
    except OSError as problem:
        raise BadSecret(f"The secrets file {path} cannot be used: {problem.strerror}") from problem
    except (ValueError, KeyError, TypeError):
        raise BadSecret(
            f"{path} is empty or no secrets file. Restore it from a backup, or delete it: then everybody has to choose"
            " a name anew"
        ) from None


def _keys_in(path: Path) -> Keys:
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = {"signing_key": secrets.token_urlsafe(32), "operator_token": secrets.token_urlsafe(24)}
    if not path.exists() and _put(path, fresh, replace=False):
        return Keys(**fresh, new=True)
    if path.stat().st_mode & 0o077:
        with suppress(OSError):  # a file on a read-only disk is used as it is
            path.chmod(0o600)
    kept = json.loads(path.read_text("utf-8"))
    signing_key = str(kept["signing_key"])
    new = "operator_token" not in kept
    if new:  # a file of an earlier version
        kept["operator_token"] = fresh["operator_token"]
        _put(path, kept, replace=True)
    return Keys(signing_key, str(kept["operator_token"]), new=new)


def _put(path: Path, content: dict[str, str], *, replace: bool) -> bool:
    """Writes the whole file or nothing; False if another process was first."""
    unfinished = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump(content, file)
        file.flush()
        os.fsync(file.fileno())
    try:
        if replace:
            unfinished.replace(path)
        else:
            path.hardlink_to(unfinished)
    except FileExistsError:
        return False
    finally:
        unfinished.unlink(missing_ok=True)
    _sync_folder(path.parent)
    return True


def _sync_folder(folder: Path) -> None:
    """Makes the name of a new file durable. Windows cannot open folders, and needs no such thing."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
