"""The games that laws are tried on: every published edition, and house editions with every printed card and power."""

from dataclasses import dataclass, field

from threefold.game import Json
from threefold.karma.cards import PRINTED_CODES
from threefold.karma.design import code_from_design, design_from_json
from threefold.karma.editions import PUBLISHED, build, edition_row, options_from


def power(name: str, **parameters: Json) -> Json:
    return {"power": name, **parameters}


def design(name: str, *powers: Json, leaves: bool = False) -> Json:
    return {"name": name, "leaves": leaves, "powers": list(powers)}


DESIGNS: tuple[Json, ...] = (
    design(
        "Whirlwind",
        power("reverse"),
        power("rotate_seats", n=1, way="left"),
        power("draw_cards", n=2, whom="self"),
        leaves=True,
    ),
    design("Carousel", power("rotate_seats", n=3, way="right"), power("rotate_hands", way="left")),
    design("Removal van", power("rotate_hands", way="right"), power("exchange_hands"), power("give_pile"), leaves=True),
    design("Musical chairs", power("change_seats"), power("clear_pile")),
    design("Upside down", power("bottoms_up"), power("lose_turns", n=2, whom="next")),
    design(
        "Long queue",
        power("ask_for", low=3, high=8),
        power("lose_turns", n=1, whom="everyone_else"),
        power("draw_cards", n=1, whom="everyone_else"),
    ),
    design("Day off", power("value_zero"), power("lose_turns", n=3, whom="one"), power("give_cards", n=2)),
    design("Big appetite", power("draw_cards", n=6, whom="one"), power("peek_face_down"), leaves=True),
    design("Second helping", power("play_table_card"), power("peek_face_down"), power("swap_face_up")),
    design("Charity", power("swap_face_up"), power("give_cards", n=3), power("change_seats")),
    design("Spring clean", power("play_table_card"), power("clear_pile"), leaves=True),
    design("Two looks", power("peek_face_down"), power("peek_face_down"), power("exchange_hands"), leaves=True),
)
"""Designs that together use every power of the vocabulary with every word of its parameters; a test says so."""

CODES: tuple[str, ...] = tuple(code_from_design(design_from_json(each)) for each in DESIGNS)

BORROWED = code_from_design(
    design_from_json(design("Fresh air", power("exchange_hands"), power("play_table_card"), leaves=True))
)
"""A design for Create Your Karma: the only sort of card by which nobody at all can be left with cards (K23)."""


@dataclass(frozen=True, slots=True)
class Rules:
    """An edition and the options that go with it, under a name that a failing test can show."""

    name: str
    edition: Json
    options: dict[str, Json] = field(default_factory=dict)

    def setup(self, players: int, seed: str, **options: Json) -> dict[str, Json]:
        """A table for so many players, with two decks if they do not fit round one."""
        decks = 1 if players <= self.most_players(1) else 2
        given = {**self.options, **options, **({"decks": 2} if decks == 2 else {})}
        return {"edition": self.edition, "players": players, "seed": seed, "options": given}

    def most_players(self, decks: int) -> int:
        return build(edition_row(self.edition), options_from({**self.options, "decks": decks})).most_players

    def __repr__(self) -> str:
        return self.name


def house(name: str, designs: tuple[str, ...], karma: tuple[str, ...], **fields: Json) -> Rules:
    rows = [{"code": code, "card": f"D{i + 1}", "copies": 3} for i, code in enumerate(designs)]
    return Rules(name, {"karma": dict.fromkeys(karma, 3), "designs": rows, **fields})


ALL_TWELVE = dict.fromkeys(PRINTED_CODES, 3)

PUBLISHED_RULES: tuple[Rules, ...] = tuple(Rules(row.name, row.name) for row in PUBLISHED)
HOUSE_RULES: tuple[Rules, ...] = (
    Rules("all_printed_cards", {"karma": ALL_TWELVE}, {"create_your_karma": "move left"}),
    Rules(
        "all_printed_cards_give",
        {"karma": ALL_TWELVE, "clear": 2, "clear_does": "give", "table_cards_need_empty_draw_pile": True},
        {"create_your_karma": BORROWED},
    ),
    house("designs_that_move", CODES[:6], ("TAB", "ONE"), numbers={"from": 1, "to": 9, "copies": 3}, clear=3),
    house(
        "designs_that_give",
        CODES[6:],
        ("LOW", "BOT"),
        numbers={"from": 4, "to": 12, "copies": 3},
        clear=2,
        clear_does="give",
    ),
    house(
        "all_designs_and_cards",
        CODES,
        PRINTED_CODES,
        numbers={"from": 1, "to": 16, "copies": 1},
        table_cards_need_empty_draw_pile=True,
    ),
)
ALL_RULES: tuple[Rules, ...] = PUBLISHED_RULES + HOUSE_RULES


def seatings(rules: Rules) -> list[int]:
    """2, 4, 6 and 12 players, as far as the rules allow; where twelve do not fit, as many as do."""
    most = rules.most_players(2)
    return sorted({players for players in (2, 4, 6, 12) if players <= most} | ({most} if most < 12 else set()))
