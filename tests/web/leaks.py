"""The leak law over the bytes of a socket: whatever a viewer cannot know may be exchanged, and not a byte changes."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from tests.karma.laws.model import Cards
from tests.karma.laws.walks import Picker
from threefold.game import Event
from threefold.games import KITS
from threefold.live import entries as e
from threefold.live.report import shown_views
from threefold.live.state import TableState
from threefold.records import copied
from threefold.web import protocol as p

Json = Any
DECODER = msgspec.json.Decoder(p.union_of(p.ServerMessage))


def log_of(data_dir: Path, code: str) -> list[e.Entry]:
    """The log of a table, read from the file beside the running server."""
    with closing(sqlite3.connect(f"file:{data_dir / 'threefold.sqlite'}?mode=ro", uri=True)) as connection:
        rows = connection.execute(
            "SELECT seq, body FROM entries JOIN tables ON tables.id = table_id WHERE code = ? ORDER BY seq", (code,)
        ).fetchall()
    assert [seq for seq, _ in rows] == list(range(1, len(rows) + 1)), "no gap and no duplicate"
    return [e.decode(body) for _, body in rows]


class Told:
    """What the log says that each guest could be told at each seq."""

    def __init__(self, entries: list[e.Entry]) -> None:
        self.views: dict[tuple[int, int], bytes] = {}
        self.events: dict[int, tuple[list[Event], dict[int, int | None]]] = {}
        self.tables: dict[int, Any] = {}
        self.viewers: dict[int, dict[int, int | None]] = {}
        self.secrets: dict[int, set[str]] = {}
        state = TableState()
        self.game = ""
        for seq, entry in enumerate(entries, 1):
            state.apply(entry)
            self.game = state.game
            self.viewers[seq] = {guest: state.viewer(guest) for guest in range(len(state.guests))}
            self.secrets[seq] = {state.next_seed}
            current = state.current
            if current is not None:
                if not current.is_over:
                    self.secrets[seq].add(current.setup["seed"])
                self.tables[seq] = current.table
                for viewer in {None, *self.viewers[seq].values()}:
                    self.views[seq, -1 if viewer is None else viewer] = msgspec.json.encode(
                        shown_views(current, [viewer])[0]
                    )
                newest = current.events.newest
                events = list(newest[1]) if newest is not None and newest[0] == seq else []
                self.events[seq] = (events, self.viewers[seq])


def exchanged(table: Any, game: str, viewer: int | None, pick: Picker) -> Any:
    """The same table, with all cards exchanged that the viewer cannot know."""
    if game == "karma":
        cards = Cards(table)
        unseen = [card for card in range(len(cards.kinds)) if card not in cards.seen[viewer]]
        kinds = list(cards.kinds)
        for card, kind in zip(unseen, pick.in_any_order([cards.kinds[card] for card in unseen]), strict=True):
            kinds[card] = kind
        return cards.with_other_cards(kinds)
    other = copied(table)
    deck = slice(other.dealt, other.dealt + other.deck_size)
    other.deck[deck] = pick.in_any_order(other.deck[deck])
    return other


def check(data_dir: Path, code: str, raws: dict[int, list[bytes]], *, every: int = 1) -> int:
    """Checks all bytes that the guests of a table were sent; gives how many Views were compared."""
    entries = log_of(data_dir, code)
    shown = Told(entries)
    game = KITS[shown.game].game
    pick = Picker("v1:leaks")
    compared = 0
    for guest, messages in raws.items():
        for raw in messages:
            message: Any = DECODER.decode(raw)
            assert sorted_bytes(msgspec.json.encode(message)) == sorted_bytes(raw), "nothing but the protocol's fields"
            seq = getattr(message, "seq", None)
            for secret in shown.secrets.get(seq or len(entries), set()):
                assert secret.encode() not in raw
            if not isinstance(message, p.ViewShown):
                continue
            assert seq is not None
            viewer = message.view["viewer"]
            assert viewer == shown.viewers[seq][guest]
            sent = msgspec.json.encode(message.view)
            assert sent == shown.views[seq, -1 if viewer is None else viewer], "what was sent is what the log gives"
            for happened in message.events or []:
                assert happened.seq <= seq
                assert happened.events == [each.seen_by(viewer) for each in shown.events[happened.seq][0]]
            compared += 1
            if compared % every == 0 and "paused" not in message.view:
                other = exchanged(shown.tables[seq], shown.game, viewer, pick)
                assert msgspec.json.encode(game.view(other, viewer)) == sent, "exchanged cards show"
    return compared


def sorted_bytes(raw: bytes) -> bytes:
    return msgspec.json.encode(msgspec.json.decode(raw), order="sorted")
