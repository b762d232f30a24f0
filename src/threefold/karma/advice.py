"""Advice for people: why a hint is a good move, and when a legal move would be wasted."""

from collections.abc import Mapping, Sequence

from threefold.game import Json
from threefold.karma.cards import PRINTED_CODES
from threefold.karma.thoughts import EQUAL
from threefold.texts import Text

View = Mapping[str, Json]
TWO_WORDS = ("face up", "pick up", "end turn")
CHOICES = {"exchange_hands": "fewest_in_hand", "change_seats": "fewest_cards"}
"""Power that asks for a player -> the reason for the choice; for other powers it is the player closest to winning."""


class KarmaAdvice:
    """Karma's advice, from the View of the player alone."""

    def reason(self, view: View, move: str, thought: Mapping[str, Json] | None = None) -> Text | None:
        """Why the move is good: what a search found, or why a careful player makes it."""
        if thought is not None:
            return _found(thought)
        verb = move.split(" ", maxsplit=1)[0]
        if verb == "play":
            return _hint(_reason_to_play(view, move))
        if verb == "choose":
            power = next(each.get("power") for each in view["awaits"] if each["player"] == view["viewer"])
            return _hint(CHOICES.get(power, "closest_to_winning"))
        if verb == "flip":
            return _hint("known" if _has_seen(view, int(move.split(" ")[1])) else "gamble")
        return _hint(next((each for each in TWO_WORDS if move.startswith(each)), verb).replace(" ", "_"))

    def told(self, thought: Mapping[str, Json], player: int) -> Text | None:
        """Why a bot made a move; None if others were as good."""
        if thought["why"] == EQUAL:
            return None
        return Text(f"karma.why.{thought['why']}", {"player": player, "n": thought["near"]})

    def warning(self, view: View, events: Sequence[Json]) -> Text | None:
        """Why a karma card would be wasted. Of a face-down card that the player has not seen, nothing is said (K27)."""
        for each in events:
            if each["event"] == "card_flipped" and not _has_seen(view, each["place"]):
                return None
            if each["event"] == "nothing_to_do":
                return _warn(each["power"])
            if each["event"] == "pile_cleared" and each["why"] == "power" and not each["cards"]:
                return _warn("clear_pile")
        return None


def _found(thought: Mapping[str, Json]) -> Text:
    """What a search found: why the move is the best and by how much, or that another one is as good."""
    instead = thought.get("instead", "")
    cards = instead.split(" ")[1:] if instead.startswith("play ") else []
    if thought["why"] == EQUAL:
        return Text("karma.hint.equal", {"cards": cards})
    why = Text(f"karma.hint.{thought['why']}", {"n": thought["near"]})
    gain = Text("karma.hint.gain", {"cards": cards, "n": thought["percent"]})
    return Text("karma.hint.found", {"reasons": [why.as_json(), gain.as_json()]})


def _reason_to_play(view: View, move: str) -> str:
    """A number goes before a karma card, and a low number before a high one."""
    card = move.split(" ")[1]
    others = {each.split(" ")[1] for each in view["moves"] if each.startswith("play ")} - {card}
    numbers = {each for each in others if _is_number(each)}
    if not others:
        return "only_one"
    if not _is_number(card):
        return "no_number"
    return "lowest" if numbers else "karma_waits"


def _is_number(code: str) -> bool:
    """711 is the code of a karma card."""
    return code.isdigit() and code not in PRINTED_CODES


def _has_seen(view: View, place: int) -> bool:
    seat = next(each for each in view["seats"] if each["player"] == view["viewer"])
    return seat["face_down"][place - 1]["card"] is not None


def _hint(reason: str) -> Text:
    return Text(f"karma.hint.{reason}")


def _warn(power: str) -> Text:
    return Text("karma.warning", {"power": power})


ADVICE = KarmaAdvice()
