"""Text <-> position: a whole table in one line.

A position consists of sections separated by semicolons. The first is the variant, followed by a JSON object if options
differ from the default; then `players 3`, `layout 2RTO . 1GSD …` (a dot for an empty place), and with personal cards
`personal 0 2RTO …` for each player; then every section that differs from its default: `deck 1GSD …` (the next card
first), `control 1 8000` (the caller and the deadline), `agreed 0 2`, `score 1 0 -2` … Without a `deck` section the deck
is all cards that lie nowhere, in their order; with one, cards that lie nowhere are out of this deal.
`docs/reference/set-notation.md` lists all sections.
"""

import json
from collections.abc import Iterator
from functools import partial

from threefold.clauses import clause
from threefold.fields import refuse
from threefold.game import BadSetup
from threefold.records import blank
from threefold.sections import LONGEST_WORD, Section, cannot_go_on, read, read_json, refuse_repeated, sections, why
from threefold.setgame.cards import format_card
from threefold.setgame.checks import LATEST
from threefold.setgame.deal import Deal, options_from, players_from, seed_reshuffles
from threefold.setgame.moves import take_all
from threefold.setgame.notation import ENDINGS, card_of
from threefold.setgame.rules import next_dealer, silence_counts, those_who_agree, those_who_count
from threefold.setgame.search import makes_a_set
from threefold.setgame.table import (
    GOES_ON,
    NONE,
    NOWHERE,
    PERSONAL,
    PERSONAL_FROM,
    PLACES,
    PREVIOUS_FROM,
    SETS,
    TARGET_REACHED,
    Table,
    cards_of,
    has_personal_cards,
    takes_turns_dealing,
)
from threefold.setgame.variants import LONGEST_MS, VARIANTS, options_of, with_options
from threefold.shuffle import KEY
from threefold.texts import Text

EMPTY = "."
PER_PLAYER = ("score", "sets", "lost", "may_call_from")
"""Sections with a number for each player."""
PLAYER_LISTS = ("away", "left")
"""Sections that list players."""
NUMBERS = {"dealer": 0, "deals": 1, "reshuffles": 0, "penalty": 0, "now": 0, "next_deal_at": NONE}
"""Sections with one number -> its default."""
LATEST_DEADLINE = LATEST + LONGEST_MS
MOST_PENALTY = 27
MOST = 10**9
"""Of points, deals and reshuffles."""
LIMITS = {
    "deals": (1, MOST),
    "reshuffles": (0, MOST),
    "penalty": (0, MOST_PENALTY),
    "now": (0, LATEST),
    "next_deal_at": (0, LATEST_DEADLINE),
    "agreement_deadline": (0, LATEST_DEADLINE),
    "may_call_from": (0, LATEST_DEADLINE),
    "score": (-MOST, MOST),
    "sets": (0, MOST),
    "lost": (0, MOST),
}
"""Sections with numbers -> the least and the most."""
DEFAULT_SEED = "v1:position"
"""Seed of the reshuffles of a position without a `random` section."""


def format_position(table: Table) -> str:
    """The table as text."""
    return "; ".join(_sections(table))


def _sections(table: Table) -> Iterator[str]:
    variant, players = table.deal.variant, range(table.players)
    changed = {
        name: value
        for name, value in options_of(variant).items()
        if value != options_of(VARIANTS[variant.name]).get(name, False)
    }
    yield f"{variant.name} {json.dumps(changed)}" if changed else variant.name
    yield f"players {table.players}"
    yield _words("layout", (_card(card) for card in table.layout[: table.places]))
    if has_personal_cards(variant):
        for player in players:
            yield _words(f"personal {player}", (_card(card) for card in table.personal[player]))
    if table.previous_size:
        yield _words("previous", (_card(card) for card in _previous(table)))
    for i in range(table.taken_size):
        yield _words(f"taken {table.taken_by[i]}", (_card(card) for card in table.taken[i][: variant.set_size]))
    if table.discard_size:
        yield _words("discard", (_card(card) for card in table.discard[: table.discard_size]))
    yield _words("deck", (_card(card) for card in table.deck[table.dealt : table.dealt + table.deck_size]))
    yield "random " + " ".join(f"{word:08x}" for word in (table.key if table.keyed else table.word))
    for name, default in NUMBERS.items():
        if getattr(table, name) != default:
            yield f"{name} {getattr(table, name)}"
    if table.first_dealer != table.dealer:
        yield f"first_dealer {table.first_dealer}"
    for name in PER_PLAYER:
        if any(getattr(table, name)):
            yield _words(name, (str(getattr(table, name)[player]) for player in players))
    for name in PLAYER_LISTS:
        if any(getattr(table, name)):
            yield _words(name, (str(player) for player in players if getattr(table, name)[player]))
    if table.control != NONE:
        yield f"control {table.control} {table.call_deadline}"
    if any(table.agreed):
        yield _words("agreed", (str(player) for player in players if table.agreed[player]))
    if table.agreement_deadline != NONE:
        yield f"agreement_deadline {table.agreement_deadline}"
    if table.ending:
        yield f"ended {ENDINGS[table.ending]}" + ("" if table.winner == NONE else f" {table.winner}")


def _words(name: str, words: Iterator[str]) -> str:
    return " ".join([name, *words])


def _card(card: int) -> str:
    return EMPTY if card == NONE else format_card(card)


def parse_position(text: str) -> Table:
    """Parses a position. Raises BadSetup, naming the section that is wrong, or why no game can come to it."""
    first, *rest = sections(text)
    table = read(first, partial(_empty_table, text))
    refuse_repeated(rest, may_repeat=("personal", "taken"))
    for section in rest:
        read(section, partial(_parse_section, table))
    if table.players == 0:
        raise refuse("missing_field", field="position", given="players")
    names = [section.split()[0] for section in rest]
    if "first_dealer" not in names:
        table.first_dealer = table.dealer
    _complete_deck(table, fill="deck" not in names)
    reason = _why_no_game_comes_to_it(table)
    if reason is not None:
        raise cannot_go_on(reason)
    return table


def _empty_table(text: str, section: Section) -> Table:
    """An empty table of the position's variant."""
    name = section.name
    if name not in VARIANTS:
        raise why("unknown_word", given=name[:LONGEST_WORD], allowed=", ".join(VARIANTS))
    section.rest()
    rest = section.text[len(name) :].strip()
    variant = with_options(VARIANTS[name], options_from(VARIANTS[name], read_json(rest) if rest else {}))
    table = blank(Table, deal=Deal(variant, 0, 0, (), {"position": text}))
    for card in range(len(table.where)):
        table.where[card] = NOWHERE
    for place in range(len(table.layout)):
        table.layout[place] = NONE
    for row in table.personal:
        row[:] = [NONE if has_personal_cards(variant) else 0] * PERSONAL
    for name, default in NUMBERS.items():
        setattr(table, name, default)
    table.control = table.call_deadline = table.agreement_deadline = table.winner = NONE
    if has_personal_cards(variant):
        table.places = variant.layout
    seed_reshuffles(table, DEFAULT_SEED)
    return table


def _parse_section(table: Table, section: Section) -> None:
    name, variant = section.name, table.deal.variant
    if name == "players":
        table.players = players_from(variant, section.number(-MOST, MOST))
    elif name == "layout":
        _parse_layout(table, section.rest())
    elif name == "personal":
        _parse_personal(table, _player(table, section), section.rest())
    elif name == "taken":
        _parse_taken(table, _player(table, section), [_in_deck(table, section.word()) for _ in range(variant.set_size)])
    elif name == "previous":
        _parse_previous(table, section.rest())
    elif name in ("discard", "deck"):
        for word in section.rest():
            _put_on(table, name, _in_deck(table, word))
    elif name == "random":
        table.keyed = int(len(section.words) >= KEY)
        words = table.key if table.keyed else table.word
        words[:] = [_word(section.word()) for _ in words]
    elif name == "dealer":
        table.dealer = _player(table, section)
    elif name == "first_dealer":
        table.first_dealer = _player(table, section)
    elif name in PER_PLAYER:
        if table.players == 0:
            raise why("players_first")
        for player in range(table.players):
            getattr(table, name)[player] = section.number(*LIMITS[name])
    elif name in LIMITS:
        setattr(table, name, section.number(*LIMITS[name]))
    elif name in PLAYER_LISTS or name == "agreed":
        while section.words:
            getattr(table, name)[_player(table, section)] = 1
    elif name == "control":
        table.control = _player(table, section)
        table.call_deadline = section.number(0, LATEST_DEADLINE)
    elif name == "ended":
        table.ending = section.one_of({word: ending for ending, word in ENDINGS.items()})
        table.winner = _player(table, section) if section.words else NONE
    else:
        raise why("unknown_section", given=name[:LONGEST_WORD])


def _parse_layout(table: Table, words: list[str]) -> None:
    variant = table.deal.variant
    most = variant.layout if has_personal_cards(variant) else PLACES
    if len(words) > most:
        raise why("too_many_places", count=len(words), most=most)
    if not has_personal_cards(variant):
        table.places = len(words)
    for place, word in enumerate(words):
        if word != EMPTY:
            table.layout[place] = _lay(table, word, place)
            table.laid += 1


def _parse_personal(table: Table, player: int, words: list[str]) -> None:
    variant = table.deal.variant
    if not has_personal_cards(variant):
        raise why("not_in_variant", given=variant.name)
    if table.personal_size[player]:
        raise why("section_twice")
    if len(words) > variant.most_personal:
        raise why("too_many_places", count=len(words), most=variant.most_personal)
    for place, word in enumerate(words):
        if word != EMPTY:
            table.personal[player][place] = _lay(table, word, PERSONAL_FROM + PERSONAL * player + place)
            table.personal_size[player] += 1


def _parse_taken(table: Table, player: int, cards: list[int]) -> None:
    if has_personal_cards(table.deal.variant):
        raise why("not_in_variant", given=table.deal.variant.name)
    _check_set(table, cards)
    if table.taken_size == SETS:
        raise why("too_many", count=SETS + 1, most=SETS)
    table.taken_by[table.taken_size] = player
    table.taken[table.taken_size][: len(cards)] = cards
    table.taken_size += 1


def _parse_previous(table: Table, words: list[str]) -> None:
    variant = table.deal.variant
    if not variant.chain:
        raise why("not_in_variant", given=variant.name)
    cards = [_lay(table, word, PREVIOUS_FROM + place) for place, word in enumerate(words)]
    if len(cards) != variant.set_size:
        raise why("not_a_set")
    _check_set(table, cards)
    table.layout[PREVIOUS_FROM : PREVIOUS_FROM + len(cards)] = cards
    table.previous_size = len(cards)


def _check_set(table: Table, cards: list[int]) -> None:
    variant = table.deal.variant
    if len(set(cards)) < len(cards) or not makes_a_set(variant.set_size, take_all(cards)):
        raise why("not_a_set")


def _previous(table: Table) -> list[int]:
    return table.layout[PREVIOUS_FROM : PREVIOUS_FROM + table.previous_size]


def _put_on(table: Table, name: str, card: int) -> None:
    """Puts a card on the discard pile or under the deck."""
    variant = table.deal.variant
    if name == "discard" and not (has_personal_cards(variant) or variant.returns or variant.chain):
        raise why("not_in_variant", given=variant.name)
    pile, size = getattr(table, name), getattr(table, f"{name}_size")
    if card in pile[:size]:
        raise why("card_twice", card=format_card(card))
    pile[size] = card
    setattr(table, f"{name}_size", size + 1)


def _word(word: str) -> int:
    """A word of the generator, written in hexadecimal."""
    if not 1 <= len(word) <= 8 or any(digit not in "0123456789abcdef" for digit in word.lower()):
        raise why("not_hexadecimal", given=word[:LONGEST_WORD])
    return int(word, 16)


def _player(table: Table, section: Section) -> int:
    if table.players == 0:
        raise why("players_first")
    return section.number(0, table.players - 1)


def _in_deck(table: Table, word: str) -> int:
    card = card_of(word)
    if card not in cards_of(table.deal.variant):
        raise why("not_in_deck", card=format_card(card), count=table.deal.variant.cards)
    return card


def _lay(table: Table, word: str, where: int) -> int:
    card = _in_deck(table, word)
    if table.where[card] != NOWHERE:
        raise why("card_twice", card=format_card(card))
    table.where[card] = where
    return card


def _complete_deck(table: Table, *, fill: bool) -> None:
    """Checks that no card is in two places; with `fill`, puts the cards that lie nowhere into the deck."""
    variant = table.deal.variant
    taken = [] if variant.stays else table.taken[: table.taken_size]
    elsewhere = [card for row in taken for card in row[: variant.set_size]]
    elsewhere += table.discard[: table.discard_size] + table.deck[: table.deck_size]
    for card in cards_of(variant):
        count = elsewhere.count(card) + (table.where[card] != NOWHERE)
        if count > 1:
            raise BadSetup(Text("set.setup.wrong_deck", {"card": format_card(card), "count": count}))
        if count == 0 and fill:
            table.deck[table.deck_size] = card
            table.deck_size += 1


def _why_no_game_comes_to_it(table: Table) -> BadSetup | None:
    """What keeps cards, players and deadlines from fitting together."""
    checks = (_why_nobody_plays, _why_cards_do_not_lie_so, _why_no_call_runs, _why_nobody_agrees, _why_no_deal_follows)
    return next((reason for each in checks if (reason := each(table)) is not None), None)


@clause("S17", "S18", "T10")
def _why_nobody_plays(table: Table) -> BadSetup | None:
    variant, players = table.deal.variant, range(table.players)
    both = [player for player in players if table.away[player] and table.left[player]]
    if both:
        return why("away_and_left", player=both[0])
    if has_personal_cards(variant) and min(table.score[: table.players]) < 0:
        return why("score_below_zero", "T5")
    if table.penalty and not variant.alone:
        return why("penalty_alone", "S20")
    stay = table.players - sum(table.left)
    least = 2 if has_personal_cards(variant) else 1
    if table.ending == GOES_ON and stay < least:
        return why("nobody_plays", "T10" if has_personal_cards(variant) else "S18")
    return None


@clause("S10", "S12", "S15")
def _why_cards_do_not_lie_so(table: Table) -> BadSetup | None:
    """Gaps are left only by an empty deck, and not above the table's layout."""
    variant = table.deal.variant
    if has_personal_cards(variant):
        return _why_hands_are_not_so(table)
    gaps = table.places - table.laid
    if table.places > variant.layout and gaps:
        return why("gaps_above_layout", "S15", count=variant.layout)
    if table.deck_size == 0 or table.ending == TARGET_REACHED:  # M1: nothing is refilled
        return None
    fits = variant.chain or (table.places - variant.layout) % variant.at_once == 0
    if gaps or table.places < variant.layout or not fits:
        return why("layout_with_deck", "S12", count=table.laid, n=variant.layout)
    return None


@clause("T1", "T4", "T9", "T10")
def _why_hands_are_not_so(table: Table) -> BadSetup | None:
    """The centre is full and everybody at the table holds cards, until a hand is won. Players who left hold none."""
    in_play = table.ending == GOES_ON and table.next_deal_at == NONE
    if in_play and table.laid < table.places:
        return why("centre_not_full", "T1", count=table.laid, n=table.places)
    for player in range(table.players):
        if table.left[player] and table.personal_size[player]:
            return why("left_with_cards", "T10", player=player)
        if in_play and not table.left[player] and not table.personal_size[player]:
            return why("no_personal_cards", "T9", player=player)
    if table.next_deal_at != NONE and all(
        table.personal_size[player] or table.left[player] for player in range(table.players)
    ):
        return why("no_hand_won", "T9")
    return None


@clause("S11", "S13")
def _why_no_call_runs(table: Table) -> BadSetup | None:
    variant = table.deal.variant
    if table.control == NONE:
        return None
    if table.ending != GOES_ON or table.next_deal_at != NONE or table.left[table.control]:
        return why("no_call_now", "S13")
    if variant.call_first == 0:
        return why("no_call_here", "S11")
    return None


@clause("S14", "S16")
def _why_nobody_agrees(table: Table) -> BadSetup | None:
    variant = table.deal.variant
    agreed = [player for player in range(table.players) if table.agreed[player]]
    if agreed:
        if table.ending != GOES_ON or table.next_deal_at != NONE or table.control != NONE or variant.alone:
            return why("no_agreement_now", "S14")
        absent = [player for player in agreed if table.away[player] or table.left[player]]
        if absent:
            return why("agreed_but_absent", "S14", player=absent[0])
        if those_who_agree(table) == those_who_count(table):
            return why("all_agreed", "S14")
    if silence_counts(variant, table) != (table.agreement_deadline != NONE):
        return why("agreement_deadline", "S14")
    return None


@clause("S17", "T10")
def _why_no_deal_follows(table: Table) -> BadSetup | None:
    variant = table.deal.variant
    if table.next_deal_at == NONE:
        return None
    if table.ending != GOES_ON or not takes_turns_dealing(variant):
        return why("no_next_deal", "S17")
    if next_dealer(variant, table) == NONE:
        return why("nobody_deals", "S17")
    if not has_personal_cards(variant) and table.deck_size > 0:
        return why("deal_goes_on", "S17")
    return None
