"""The rules of SET for people: a guide for every variant and for the daily puzzles, from the variant's row.

Layouts come from real deals; SETs, and the reasons why three cards are none, come from the rules.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from threefold.fields import an_object, one_of
from threefold.game import Json
from threefold.guide import Block, Group, Guide, Section, players
from threefold.setgame import SET
from threefold.setgame.cards import (
    CARD_OF,
    CARD_VALUES,
    FEATURES,
    QUADS_FROM,
    STEPS,
    format_card,
    format_cards,
    is_set,
    third_card,
    why_not,
)
from threefold.setgame.deal import options_from
from threefold.setgame.puzzles import KINDS, practice
from threefold.setgame.search import Cards, all_sets_of, easiest
from threefold.setgame.table import A_CARD, FITTING, NONE, Variant, cards_of, has_personal_cards
from threefold.setgame.variants import ROWS, VARIANTS, features_of, options_of, with_options
from threefold.texts import Text

PUZZLES = "puzzles"
COLOUR, SHAPE = FEATURES.index("colour"), FEATURES.index("shape")
GREEN, OVAL = 2, 1


class SetGuides:
    """The guides of SET, as its kit offers them."""

    def ways(self) -> list[str]:
        """The variants, and the daily puzzles."""
        return [*VARIANTS, PUZZLES]

    def guide(self, way: str, setup: Mapping[str, Json]) -> Guide:
        """The guide of a variant, of a table's variant and options, or of the daily puzzles."""
        an_object(setup, "setup", ("variant", "options"))
        if way == PUZZLES:
            return puzzle_guide()
        row = VARIANTS[one_of(setup.get("variant", way), "variant", VARIANTS)]
        return variant_guide(with_options(row, options_from(row, setup.get("options", {}))))


def variant_guide(v: Variant) -> Guide:
    """All sections, in the order in which a game goes."""
    sections = {"goal": goal, "a_set": a_set, "set_up": set_up, "play": play, "no_set": no_set, "end": end}
    return [Section(Text(f"rules.set.section.{name}"), list(write(v))) for name, write in sections.items()]


# ---------------------------------------------------------------- A variant


def goal(v: Variant) -> Iterator[Block]:
    """What the game is about, and for how many."""
    if v.goal or v.time_ms or v.rounds:
        ends = Text("rules.set.goal_points", {"n": v.goal})
        if v.time_ms:
            ends = Text("rules.set.goal_time", {"n": v.time_ms // 60_000})
        if v.rounds:
            ends = Text("rules.set.goal_layouts", {"n": v.rounds})
        yield Block([ends])
    else:
        yield Block([Text("rules.set.goal_alone" if v.alone else f"rules.set.goal{_personal(v)}")])
    yield Block([players(v.fewest_players, v.most_players)])


def a_set(v: Variant) -> Iterator[Block]:
    """The cards, and what makes some of them a SET."""
    if v.set_size == 3:
        yield from about_sets(v)
    else:
        yield from about_larger_sets(v)
    if v.chain:
        yield Block([Text("rules.set.chain"), Text("rules.set.chain_breaks")])


def set_up(v: Variant) -> Iterator[Block]:
    """The first deal, with one of its SETs marked."""
    if has_personal_cards(v):
        own, centre, marked = _deal_with_personal_cards(v)
        yield Block(
            [Text("rules.set.lay_personal", {"n": v.personal, "count": v.layout})],
            [
                Group(centre, [Text("rules.set.label.centre")], marked=marked),
                Group(own, [Text("rules.set.label.personal")], marked=marked),
            ],
        )
        return
    laid, marked = _deal(v)
    words = [Text("rules.set.lay_alone" if v.alone else "rules.set.lay", {"n": v.layout})]
    words += [Text("rules.set.lay_also", {"n": n}) for n in v.choices.get("layout", ()) if n != v.layout]
    yield Block(words, [Group(laid, [Text("rules.set.label.marked")], marked=marked)])


def play(v: Variant) -> Iterator[Block]:
    """Calling, taking, and the price of a mistake."""
    if v.alone:
        yield Block([Text("rules.set.take_alone")])
    else:
        taking = Text("rules.set.call", {"count": _seconds(v.call_ms)})
        if not v.call_first:
            taking = Text("rules.set.take") if v.set_size == 3 else Text("rules.set.take_more", {"n": v.set_size})
        yield Block([Text("rules.set.no_turns"), taking])
    if v.stays:
        yield Block([Text("rules.set.right_stays")])
    elif v.chain:
        yield Block([Text("rules.set.right_chain")])
    else:
        yield Block([Text(f"rules.set.right{_personal(v)}", {"n": v.set_points, "count": v.set_size})])
    if v.wrong_costs == A_CARD:
        wrong = [Text("rules.set.wrong_card", {"most": v.most_personal})]
    else:
        wrong = [Text("rules.set.wrong_call" if v.call_first else "rules.set.wrong")]
    if v.cooldown_ms and not v.alone:
        wrong.append(Text("rules.set.cooldown", {"count": _seconds(v.cooldown_ms)}))
    yield Block(wrong)
    if has_personal_cards(v):
        yield Block([Text("rules.set.ask", {"most": v.most_personal})])


def no_set(v: Variant) -> Iterator[Block]:
    """More cards, or another centre."""
    if v.more == FITTING:
        yield Block([Text("rules.set.always_one")])
        return
    if v.alone:
        yield Block([Text("rules.set.more_alone", {"n": v.at_once})])
    else:
        n = v.layout if has_personal_cards(v) else v.at_once
        way = "auto" if v.auto_deal else "agree"
        words = [Text(f"rules.set.more_{way}{_personal(v)}", {"n": n})]
        if not v.auto_deal and v.agreement_ms != NONE:
            words.append(Text("rules.set.silence", {"count": _seconds(v.agreement_ms)}))
        yield Block(words)
    if not has_personal_cards(v):
        few = v.chain or v.at_once < v.set_size
        words = [Text("rules.set.above_few" if few else "rules.set.above", {"n": v.layout})]
        if v.set_size < 6 and not v.chain:
            words.append(Text("rules.set.always", {"n": v.most_laid}))
        yield Block(words)


def end(v: Variant) -> Iterator[Block]:
    """The end of a deal and of the game."""
    if has_personal_cards(v):
        yield Block([Text("rules.set.end_personal")])
    elif v.goal:
        yield Block([Text("rules.set.end_goal", {"n": v.goal})])
    elif v.time_ms:
        yield Block([Text("rules.set.end_time")])
    elif v.rounds:
        yield Block([Text("rules.set.end_layouts", {"n": v.rounds})])
    elif v.alone:
        yield Block([Text("rules.set.end_alone", {"n": v.layout})])
    else:
        yield Block([Text("rules.set.end_deals" if v.every_player_deals else "rules.set.end")])
    if v.together:
        yield Block([Text("rules.set.together")])
    if v.classroom:
        yield Block([Text("rules.set.classroom")])
    if v.target_per_player:
        target = {"n": v.target_per_player, "least": v.fewest_players, "count": v.target_per_player * v.fewest_players}
        yield Block([Text("rules.set.target", target)])


def _personal(v: Variant) -> str:
    """The ending of sentences about a game with personal cards."""
    return "_personal" if has_personal_cards(v) else ""


def _seconds(milliseconds: int) -> float:
    return milliseconds // 1000 if milliseconds % 1000 == 0 else milliseconds / 1000


# ---------------------------------------------------------------- SETs


def about_sets(v: Variant) -> Iterator[Block]:
    """The features of this deck's cards, SETs of three, and three cards that are none."""
    yield from about_cards(v)
    varying = [i for i, step in enumerate(STEPS) if any(CARD_VALUES[card][i] for card in cards_of(v))]
    mixed = [_card({i: value for i in varying if i != COLOUR}) for value in range(3)]
    alike = [_card({varying[0]: value, COLOUR: GREEN, SHAPE: OVAL}) for value in range(3)]
    broken = [*mixed[:2], _card({i: OVAL if i == SHAPE else 2 for i in varying if i != COLOUR})]
    yield Block([Text("rules.set.set")], [_explained(each, varying) for each in (alike, mixed, broken)])
    yield Block([Text("rules.set.check"), Text("rules.set.third")])


def about_cards(v: Variant) -> Iterator[Block]:
    """The features of this deck's cards."""
    features, values = features_of(v), CARD_VALUES[v.first_card]
    varying = [i for i in range(len(features)) if any(CARD_VALUES[card][i] != values[i] for card in cards_of(v))]
    kinds = 4 if v.first_card == QUADS_FROM else 3
    shape = features.index("shape")
    yield Block(
        [Text("rules.set.cards" if kinds == 3 else "rules.set.cards_of_four", {"n": len(varying)})],
        [
            Group(
                [_with_values(v, {shape: OVAL} | {i: value}) for value in range(kinds)],
                [Text(f"rules.set.feature.{features[i]}" + ("" if kinds == 3 else ".four"))],
            )
            for i in varying
        ],
    )
    yield Block([Text("rules.set.deck", {"count": v.cards})])


def about_larger_sets(v: Variant) -> Iterator[Block]:
    """The cards, and a SET of four or six of them."""
    yield from about_cards(v)
    kind = "quads" if v.first_card == QUADS_FROM else f"of_{v.set_size}"
    cards = easiest(all_sets_of(v.set_size, list(cards_of(v))[:12][::-1]), v.set_size)
    groups = [Group(format_cards(list(cards)), [Text("rules.set.label.set")], verdict="right")]
    if kind != "quads":
        pairs = _pairs(cards)
        groups = [
            Group(
                format_cards([*pair, third_card(*pair)]),
                [Text("rules.set.label.third")],
                marked=format_cards([*pair]),
            )
            for pair in pairs
        ]
    yield Block([Text(f"rules.set.set_{kind}")], groups)


def _pairs(cards: Cards) -> list[tuple[int, int]]:
    """Four or six cards in pairs: two pairs with the same third card, or any three."""
    first = cards[0]
    for other in cards[1:] if len(cards) == 4 else ():
        rest = [card for card in cards[1:] if card != other]
        if third_card(first, other) == third_card(rest[0], rest[1]):
            return [(first, other), (rest[0], rest[1])]
    return list(zip(cards[::2], cards[1::2], strict=True))


def _with_values(v: Variant, values: Mapping[int, int]) -> str:
    """The card of the deck with these values of its features, and the first value of all others."""
    first = CARD_VALUES[v.first_card]
    wanted = tuple(values.get(i, 0) for i in range(len(first)))
    return format_card(v.first_card + CARD_VALUES[v.first_card :].index(wanted))


def _card(values: Mapping[int, int]) -> str:
    """The card with these values of its features, and the first value of all others."""
    return format_card(sum(values.get(i, 0) * step for i, step in enumerate(STEPS)))


def _explained(names: Sequence[str], varying: Sequence[int]) -> Group:
    """Three cards, whether they are a SET, and why."""
    a, b, c = (CARD_OF[name] for name in names)
    if not is_set(a, b, c):
        return Group(names, [Text("rules.set.label.no_set"), *why_not(a, b, c)], verdict="wrong")
    alike = {True: "alike", False: "differ"}
    words = [Text(f"rules.set.{alike[CARD_VALUES[a][i] == CARD_VALUES[b][i]]}.{FEATURES[i]}") for i in varying]
    return Group(names, [Text("rules.set.label.set"), *words], verdict="right")


# ---------------------------------------------------------------- Deals for figures


def _dealt(v: Variant, number: int) -> Mapping[str, Json]:
    """The View of a deal."""
    setup = {"variant": v.name, "players": v.fewest_players, "dealer": 0, "options": options_of(v)}
    return SET.view(SET.new({**setup, "seed": f"v1:guide{number}"}), None)


def _easiest(v: Variant, cards: Sequence[str]) -> list[str]:
    sets = all_sets_of(v.set_size, [CARD_OF[card] for card in cards])
    return format_cards(list(easiest(sets, v.set_size)))


def _deal(v: Variant) -> tuple[list[str], list[str]]:
    """A layout that holds a SET, and its easiest SET."""
    for number in count():
        laid = [card for card in _dealt(v, number)["layout"] if card is not None]
        if marked := _easiest(v, laid):
            return laid, marked
    raise AssertionError


def _deal_with_personal_cards(v: Variant) -> tuple[list[str], list[str], list[str]]:
    """A player's cards, the centre, and a SET of cards from both."""
    for number in count():
        view = _dealt(v, number)
        own, centre = ([card for card in cards if card is not None] for cards in (view["personal"][0], view["centre"]))
        marked = _easiest(v, [*own, *centre])
        if set(marked) & set(own) and set(marked) & set(centre):
            return own, centre, marked
    raise AssertionError


# ---------------------------------------------------------------- Puzzles


def puzzle_guide() -> Guide:
    """The daily puzzles."""
    deck = max((row for row in ROWS if row.cards in {kind.deck for kind in KINDS.values()}), key=lambda row: row.cards)
    sections: dict[str, list[Block]] = {
        "goal": [Block([Text("rules.set.puzzle.goal")]), Block([Text("rules.set.puzzle.daily")])],
        "a_set": list(about_sets(deck)),
        "kinds": [_puzzle_kind(name) for name in KINDS],
        "play": [Block([Text("rules.set.puzzle.take")]), Block([Text("rules.set.puzzle.wrong")])],
        "end": [Block([Text("rules.set.puzzle.end")])],
    }
    return [Section(Text(f"rules.set.section.{name}"), blocks) for name, blocks in sections.items()]


def _puzzle_kind(name: str) -> Block:
    kind = KINDS[name]
    puzzle = practice(name, "v1:guide")
    first: Cards = min(puzzle.sets, key=lambda each: puzzle.difficulties[puzzle.sets.index(each)])
    layout = Group(format_cards(list(puzzle.cards)), [Text("rules.set.label.marked")], marked=format_cards(list(first)))
    words = [
        Text("rules.set.puzzle.kind", {"n": kind.cards, "count": kind.sets}),
        Text("rules.set.puzzle.deck", {"count": kind.deck}),
    ]
    return Block(words, [layout], Text(f"page.daily.{name}"))


GUIDES = SetGuides()
