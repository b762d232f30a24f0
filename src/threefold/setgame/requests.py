"""The requests of the engine protocol that only SET knows: its variants, SETs among cards, and puzzles."""

from collections.abc import Mapping

from threefold.fields import (
    a_card_name,
    a_date,
    a_list,
    a_seed,
    a_text,
    a_whole_number,
    refuse,
    required,
    true_or_false,
)
from threefold.game import BadSetup, Json
from threefold.setgame.cards import FULL_DECK, QUADS_FROM, format_card, format_cards, third_card, why_not
from threefold.setgame.notation import card_of
from threefold.setgame.puzzles import daily, practice
from threefold.setgame.search import all_sets_of, difficulty
from threefold.setgame.variants import variants_as_json
from threefold.texts import Text, say

SIZES = (3, 4, 6)
"""The sizes of SETs."""


def _variants(request: Mapping[str, Json]) -> dict[str, Json]:
    return {"variants": variants_as_json()}


def _sets(request: Mapping[str, Json]) -> dict[str, Json]:
    size = a_whole_number(request.get("size", 3), "size", 3, 6)
    if size not in SIZES:
        raise refuse("not_one_of", field="size", given=str(size), allowed=", ".join(map(str, SIZES)))
    cards = _set_cards(request, 1, FULL_DECK, size)
    sets = [{"cards": format_cards(list(each)), "difficulty": difficulty(*each)} for each in all_sets_of(size, cards)]
    return {"count": len(sets), "sets": sets}


def _why_not(request: Mapping[str, Json]) -> dict[str, Json]:
    a, b, c = _set_cards(request, 3, 3, 3)
    failing = why_not(a, b, c)
    return {
        "is_set": not failing,
        "why_not": [say(each) for each in failing],
        "third_card": format_card(third_card(a, b)),
    }


def _set_cards(request: Mapping[str, Json], least: int, most: int, size: int) -> list[int]:
    names = a_list(required(request, "cards", "request"), "cards")
    a_whole_number(len(names), "number of cards", least, most)
    cards = [card_of(a_card_name(name, "cards")) for name in names]
    if len(set(cards)) < len(cards):
        raise refuse("cards_twice", field="cards")
    if any((card >= QUADS_FROM) != (cards[0] >= QUADS_FROM and size == 4) for card in cards):
        raise BadSetup(Text("set.setup.other_deck", {"n": size}), "M51")
    return cards


def _puzzle(request: Mapping[str, Json]) -> dict[str, Json]:
    kind = a_text(request.get("kind", "basic"), "kind")
    solved = true_or_false(request.get("solved", False), "solved")
    if "date" in request and "seed" in request:
        raise refuse("one_of_two", field="date", given="seed")
    if "date" in request:
        return {"puzzle": daily(kind, a_date(request["date"], "date")).as_json(solved=solved)}
    if "seed" not in request:
        raise refuse("missing_one_of", field="request puzzle", allowed="date, seed")
    seed = a_seed(request["seed"])
    number = a_whole_number(request.get("number", 0), "number", 0, 10**9)
    return {"puzzle": practice(kind, seed, number).as_json(solved=solved)}


REQUESTS = {
    "variants": ((), _variants),
    "sets": (("cards", "size"), _sets),
    "why_not": (("cards",), _why_not),
    "puzzle": (("kind", "date", "seed", "number", "solved"), _puzzle),
}
"""Request -> the fields it takes, and its answer."""
