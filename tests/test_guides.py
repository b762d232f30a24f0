"""Every edition and variant has its guide in every language, with the numbers of the rules and nothing left open."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given as examples
from hypothesis import strategies as st

from tests.karma.laws.setups import HOUSE_RULES
from threefold.game import BadSetup
from threefold.games import KITS
from threefold.guide import Guide
from threefold.karma.cards import PRINTED_CODES
from threefold.karma.editions import EDITIONS, Options, as_printed, build, edition_row
from threefold.karma.table import DECKS
from threefold.setgame.cards import CARD_VALUES, parse_card, why_not
from threefold.setgame.notation import parse_move
from threefold.setgame.puzzles import KINDS
from threefold.setgame.search import makes_a_set
from threefold.setgame.table import AS_CHOSEN, FITTING, cards_of
from threefold.setgame.variants import VARIANTS, features_of
from threefold.texts import LANGUAGES, Names, Text, catalogue, say

Json = Any
STORM = "K1HIcAAg8AABAAAFNjb3V0"
"""The code of a designed card."""
HOUSE: Json = {
    "numbers": {"from": 3, "to": 9, "copies": 4},
    "karma": {"GIV": 1, "LOW": 2},
    "designs": [{"code": STORM, "copies": 2}],
    "clear": 4,
    "clear_does": "give",
    "table_cards_need_empty_draw_pile": True,
}
TABLES: list[tuple[str, str, Json]] = [
    *((game, way, {}) for game, kit in KITS.items() if kit.guides for way in kit.guides.ways()),
    ("karma", "house", {}),
    ("karma", "house", {"edition": HOUSE}),
    ("karma", "house", {"edition": {"numbers": {"copies": 2}, "clear": 9, "karma": {}}}),
    ("karma", "house", {"edition": {"numbers": {"copies": 1}, "karma": {"GIV": 6}}}),
    (
        "karma",
        "house",
        {"edition": {"numbers": {"from": 5, "to": 5, "copies": 1}, "karma": {"GIV": 6, "LOW": 6, "711": 6}}},
    ),
    ("karma", "house", {"edition": {"numbers": {"copies": 0}, "karma": {"GIV": 6, "TAB": 6, "LOW": 6}}}),
    *(("karma", "house", {"edition": rules.edition, "options": rules.options}) for rules in HOUSE_RULES),
    ("karma", "classic", {"options": {"decks": 2, "draw": "by hand", "turn_limit": 90, "copies": {"7": 1}}}),
    ("karma", "second_edition", {"options": {"create_your_karma": "move left"}}),
    ("set", "full", {"options": {"auto_deal": True, "call": "with take", "agreement_ms": "off"}}),
    ("set", "small_deck", {"options": {"layout": 9, "call_ms": 2500, "cooldown_ms": 1000}}),
    ("set", "twenty_twenty", {"options": {"auto_deal": True}}),
]
"""Every published way to play, and tables with their own choices."""


def texts(guide: Guide) -> Iterator[Text]:
    """All texts of a guide, in order."""
    for section in guide:
        yield section.title
        for block in section.blocks:
            yield from [block.title] if block.title else []
            yield from block.words
            for group in block.figure:
                yield from group.words


def spoken(guide: Guide, language: str = "en") -> str:
    return "\n".join(say(each, language=language, names=Names(cards={"D1": "Scout"})) for each in texts(guide))


def guide_of(game: str, way: str, given: Json = None) -> Guide:
    guides = KITS[game].guides
    assert guides is not None
    return guides.guide(way, given or {})


def facts_of(guide: Guide) -> dict[str, Json]:
    """Sentence -> its numbers; the last one of a key that comes several times."""
    return {each.key: dict(each.parameters) for each in texts(guide)}


@pytest.mark.parametrize("game", KITS)
def test_every_way_to_play_has_a_guide_and_a_name_for_its_page(game: str) -> None:
    kit = KITS[game]
    assert kit.guides is not None
    assert {way[kit.way] for way in kit.ways()} <= set(kit.guides.ways())
    for language in LANGUAGES:
        assert {f"page.edition.{way}" for way in kit.guides.ways()} <= set(catalogue(language))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "way", "given"), TABLES)
def test_a_guide_has_a_sentence_for_everything_and_leaves_no_parameter_open(
    language: str, game: str, way: str, given: Json
) -> None:
    for each in texts(guide_of(game, way, given)):
        words = say(each, language=language)
        assert each.key in catalogue(language), each
        assert not re.search(r"[{}]|None|–", words), words
        assert "  " not in words
        assert words.strip() == words


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "way", "given"), TABLES)
def test_a_guide_says_every_number_that_it_is_given(language: str, game: str, way: str, given: Json) -> None:
    """A sentence may leave a number out only where it says it in words: one player, one card."""
    for each in texts(guide_of(game, way, given)):
        if each.key.startswith("rules."):
            said = set(re.findall(r"\d+(?:\.\d+)?", say(each, language=language)))
            numbers = {value for value in each.parameters.values() if type(value) in (int, float)}
            assert {str(value) for value in numbers if value > 1} <= said | _words(each), each


def _words(text: Text) -> set[str]:
    """Numbers that a sentence says in words or by its cards: "three 12s", and points that a variant does not count."""
    return (
        {str(text.parameters.get("count"))}
        if text.key in {"rules.karma.label.clears", "rules.karma.label.clears_gives", "rules.set.right_personal"}
        else set()
    )


@pytest.mark.parametrize("way", EDITIONS)
def test_a_karma_guide_has_the_numbers_of_its_edition(way: str) -> None:
    row, edition = EDITIONS[way], as_printed(way)
    guide = guide_of("karma", way)
    facts = facts_of(guide)
    assert facts["rules.players"] == {"least": 2, "most": edition.most_players}
    assert facts["rules.karma.two_decks"] == {"most": build(row, Options(decks=DECKS)).most_players}
    assert facts["rules.karma.deck"]["count"] == sum(edition.copies)
    assert facts["rules.karma.numbers"] == {"low": row.numbers[0], "high": row.numbers[1], "n": row.copies}
    assert facts["rules.karma.kinds"] == {"n": len(row.karma)}
    assert facts["rules.karma.order_up"] == {"waits": row.table_cards_wait}
    assert facts["rules.karma.clear_gives" if row.clear_gives else "rules.karma.clear"] == {"n": row.clears_at}
    copies = {
        block.figure[0].cards[0]: block.words[-1].parameters["n"]
        for section in guide
        for block in section.blocks
        if block.words[-1].key == "rules.karma.copies"
    }
    assert copies == row.karma


def test_a_karma_guide_says_what_each_card_does() -> None:
    words = spoken(guide_of("karma", "second_edition"))
    assert "7 to 11" in words
    assert "The next player must play a number from 7 to 11, or a karma card." in words
    assert "Everyone passes their hand to the right. The card leaves" in words.replace("\n", " ")
    assert "it does this:\nPlay changes direction." in words


def test_the_figure_of_a_turn_shows_what_the_rules_allow() -> None:
    groups = [
        group
        for section in guide_of("karma", "classic")
        for block in section.blocks
        for group in block.figure
        if block.words[0].key == "rules.karma.play"
    ]
    pile, fits, others = ([str(card) for card in group.cards] for group in groups)
    assert all(not card.isdigit() or int(card) >= int(pile[0]) for card in fits)
    assert all(int(card) < int(pile[0]) for card in others)


def test_a_clear_is_drawn_with_as_many_cards_as_the_edition_asks_for() -> None:
    for way, row in EDITIONS.items():
        piles = [g for s in guide_of("karma", way) for b in s.blocks for g in b.figure if g.look == "pile"]
        assert [pile.cards[-row.clears_at :] for pile in piles] == [[piles[0].cards[-1]] * row.clears_at]


def test_a_house_edition_has_its_own_cards_and_rules() -> None:
    guide = guide_of("karma", "house", {"edition": HOUSE})
    facts, words = facts_of(guide), spoken(guide)
    assert facts["rules.karma.numbers"] == {"low": 3, "high": 9, "n": 4}
    assert facts["rules.karma.clear_gives"] == {"n": 4}
    assert facts["rules.karma.order_up"] == {"waits": True}
    assert "Scout" in words
    assert "Bottoms Up" not in words


HOUSES = st.fixed_dictionaries(
    {
        "numbers": st.fixed_dictionaries(
            {"from": st.integers(1, 8), "to": st.integers(8, 16), "copies": st.integers(0, 6)}
        ),
        "karma": st.dictionaries(st.sampled_from(PRINTED_CODES), st.integers(0, 6)),
        "clear": st.integers(2, 7),
        "clear_does": st.sampled_from(["remove", "give"]),
    }
)


@examples(HOUSES)
def test_every_house_edition_that_can_be_played_has_a_guide(house: Json) -> None:
    edition = build(edition_row(house), Options())
    if edition.most_players < 2:
        with pytest.raises(BadSetup):
            guide_of("karma", "house", {"edition": house})
        return
    guide = guide_of("karma", "house", {"edition": house})
    assert facts_of(guide)["rules.karma.deck"]["count"] == sum(edition.copies)
    assert "{" not in spoken(guide)


def test_a_table_s_options_change_its_guide() -> None:
    given = {"edition": "classic", "options": {"decks": 2, "draw": "by hand", "turn_limit": 90, "copies": {"7": 1}}}
    facts = facts_of(guide_of("karma", "classic", given))
    assert facts["rules.players"]["most"] == 12
    assert facts["rules.karma.deck"] == {"count": 116, "n": 2}
    assert facts["rules.karma.turn_limit"] == {"n": 90}
    assert {"rules.karma.draw_by_hand"} <= set(facts)
    assert "rules.karma.two_decks" not in facts


def test_a_set_up_that_makes_no_game_is_refused() -> None:
    for game, way, given in (
        ("karma", "poker", {}),
        ("karma", "house", {"edition": {"numbers": {"from": 1, "to": 1}}}),
        ("karma", "classic", {"seats": 4}),
        ("set", "poker", {}),
        ("set", "full", {"options": {"layout": 9}}),
    ):
        with pytest.raises(BadSetup):
            guide_of(game, way, given)


@pytest.mark.parametrize("way", VARIANTS)
def test_a_set_guide_has_the_numbers_of_its_variant(way: str) -> None:
    row, facts = VARIANTS[way], facts_of(guide_of("set", way))
    players = {"n": 1} if row.most_players == 1 else {"least": row.fewest_players, "most": row.most_players}
    assert facts["rules.players_exactly" if row.most_players == 1 else "rules.players"] == players
    assert facts["rules.set.deck"] == {"count": row.cards}
    for i, feature in enumerate(features_of(row)):
        values = {CARD_VALUES[card][i] for card in cards_of(row)}
        key = f"rules.set.feature.{feature}" + (".four" if len(values) == 4 else "")
        assert (key in facts) == (len(values) > 1)
    if row.call_first:
        assert facts["rules.set.call"] == {"count": row.call_ms / 1000}
        assert facts["rules.set.cooldown"] == {"count": row.cooldown_ms / 1000}
    by_agreement = not row.alone and row.more == AS_CHOSEN
    assert facts.get("rules.set.silence") == ({"count": row.agreement_ms / 1000} if by_agreement else None)
    assert ("rules.set.always_one" in facts) == (row.more == FITTING)
    ends = {"goal_points": row.goal, "goal_time": row.time_ms // 60_000, "goal_layouts": row.rounds}
    assert {key: facts.get(f"rules.set.{key}") for key in ends} == {
        key: {"n": n} if n else None for key, n in ends.items()
    }
    if row.personal:
        assert facts["rules.set.lay_personal"] == {"n": row.personal, "count": row.layout}
        assert facts["rules.set.wrong_card"] == facts["rules.set.ask"] == {"most": row.most_personal}
        assert facts["rules.set.target"]["n"] == row.target_per_player
    else:
        assert facts["rules.set.lay_alone" if row.alone else "rules.set.lay"] == {"n": row.layout}
        proven = row.more != FITTING and not row.chain and row.set_size < 6
        assert facts.get("rules.set.always") == ({"n": row.most_laid} if proven else None)
        right = {"n": row.set_points, "count": row.set_size}
        assert facts.get("rules.set.right") == (None if row.stays or row.chain else right)
        assert ("rules.set.right_stays" in facts, "rules.set.right_chain" in facts) == (row.stays, row.chain)


@pytest.mark.parametrize("way", [*VARIANTS, "puzzles"])
def test_a_set_guide_judges_cards_as_the_rules_do(way: str) -> None:
    size = VARIANTS[way].set_size if way in VARIANTS else 3
    groups = [group for section in guide_of("set", way) for block in section.blocks for group in block.figure]
    verdicts, in_pairs = set(), list[str]()
    for group in groups:
        cards = [card for card in group.cards if card is not None]
        verdicts.add(group.verdict)
        if group.verdict:
            assert is_a_set(size, cards) == (group.verdict == "right")
            assert group.verdict == "right" or list(group.words[1:]) == why_not(*map(parse_card, cards))
        if group.words[0].key == "rules.set.label.third":
            assert cards[:2] == list(group.marked)
            assert is_a_set(3, cards)
            in_pairs += group.marked
        elif group.marked:
            assert is_a_set(size, group.marked)
    shown_in_pairs = size > 3 and VARIANTS[way].first_card == 0
    assert not in_pairs if not shown_in_pairs else is_a_set(size, in_pairs)
    assert verdicts == ({None, "right", "wrong"} if size == 3 else {None} if shown_in_pairs else {None, "right"})


def is_a_set(size: int, cards: Sequence[str]) -> bool:
    """Are these so many different cards, and a SET by the rules?"""
    return len(set(cards)) == len(cards) == size and makes_a_set(size, parse_move("take " + " ".join(cards)))


def test_the_guide_of_the_puzzles_has_their_numbers() -> None:
    kinds = [
        dict(block.words[0].parameters)
        for section in guide_of("set", "puzzles")
        for block in section.blocks
        if block.title is not None
    ]
    assert kinds == [{"n": kind.cards, "count": kind.sets} for kind in KINDS.values()]
