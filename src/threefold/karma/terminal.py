"""Karma in the terminal: the set-up for a number of players, and a View as a drawing."""

from collections.abc import Sequence

from threefold.game import Json
from threefold.karma.editions import editions_as_json
from threefold.kit import Drawing


class KarmaTerminal:
    """Karma as `threefold play` shows it."""

    def setup(self, way: str, players: int) -> dict[str, Json]:
        """The set-up of this edition, with as many decks as the players need."""
        setup: dict[str, Json] = {"edition": way, "players": players}
        seats = next((row["players"] for row in editions_as_json() if row["edition"] == way), [players])
        decks = next((decks for decks, most in enumerate(seats, 1) if players <= most), len(seats))
        return setup if decks == 1 else {**setup, "options": {"decks": decks}}

    def draw(self, view: Json, names: Sequence[str]) -> Drawing:
        """Everybody's cards, the pile and what it asks for."""
        rows = []
        for seat in view["seats"]:
            arrow = "→ " if seat["player"] == view["turn"] else "  "
            hand = " ".join(seat["hand"]) if seat["hand"] is not None else f"{seat['hand_size']} cards"
            up = " ".join(card or "·" for card in seat["face_up"])
            down = " ".join("·" if card is None else card["card"] or "▒" for card in seat["face_down"])
            rows.append((f"{arrow}{seat['player']} {names[seat['player']]}", hand, up, down))
        asks = view["asks_for"]
        return Drawing(
            title=f"Karma, {_edition_name(view['edition'])}",
            headings=("", "hand", "face up", "face down"),
            rows=rows,
            facts={
                "pile": " ".join(view["discard_pile"]) or "empty",
                "asks for": "anything" if asks is None else f"{asks['low']} to {asks['high']} or a karma card",
                "draw pile": str(view["draw_pile"]),
            },
        )


def _edition_name(edition: Json) -> str:
    return edition.replace("_", " ") if isinstance(edition, str) else "house edition"


TERMINAL = KarmaTerminal()
