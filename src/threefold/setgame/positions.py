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

from threefold.fields import refuse
from threefold.game import BadSetup, IllegalMove, Json
from threefold.records import blank
from threefold.setgame.cards import format_card
from threefold.setgame.deal import RESHUFFLES, Deal, options_from, players_from, seed_reshuffles
from threefold.setgame.notation import ENDINGS, card_of
from threefold.setgame.table import (
    NONE,
    NOWHERE,
    PERSONAL,
    PERSONAL_FROM,
    PLACES,
    Table,
    has_personal_cards,
)
from threefold.setgame.variants import VARIANTS, options_of, with_options
from threefold.shuffle import random_from
from threefold.texts import Text

EMPTY = "."
PER_PLAYER = ("score", "sets", "lost", "may_call_from")
"""Sections with a number for each player."""
PLAYER_LISTS = ("away", "left")
"""Sections that list players."""
NUMBERS = {"dealer": 0, "deals": 1, "reshuffles": 0, "penalty": 0, "now": 0, "next_deal_at": NONE}
"""Sections with one number -> its default."""
DEFAULT_SEED = "v1:position"
"""Seed of the reshuffles of a position without a `random` section."""


def format_position(table: Table) -> str:
    """The table as text."""
    return "; ".join(_sections(table))


def _sections(table: Table) -> Iterator[str]:
    variant, players = table.deal.variant, range(table.players)
    changed = {
        name: value for name, value in options_of(variant).items() if value != options_of(VARIANTS[variant.name])[name]
    }
    yield f"{variant.name} {json.dumps(changed)}" if changed else variant.name
    yield f"players {table.players}"
    yield _words("layout", (_card(card) for card in table.layout[: table.places]))
    if has_personal_cards(variant):
        for player in players:
            yield _words(f"personal {player}", (_card(card) for card in table.personal[player]))
    for i in range(table.taken_size):
        yield _words(f"taken {table.taken_by[i]}", (_card(card) for card in table.taken[i]))
    if table.discard_size:
        yield _words("discard", (_card(card) for card in table.discard[: table.discard_size]))
    yield _words("deck", (_card(card) for card in table.deck[table.dealt : table.dealt + table.deck_size]))
    yield "random " + " ".join(f"{word:08x}" for word in table.word)
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
    """Parses a position. Raises BadSetup, naming the section that is wrong."""
    first, *sections = [part.strip() for part in text.replace("\n", ";").split(";") if part.strip()] or [""]
    table = _empty_table(first, text)
    words_of = [section.split() for section in sections]
    for words, section in zip(words_of, sections, strict=True):
        try:
            _parse_section(table, words[0], words[1:])
        except (ValueError, IndexError, KeyError) as problem:
            reason = str(problem) if isinstance(problem, IllegalMove | BadSetup) else ""
            raise BadSetup(Text("set.setup.bad_position", {"given": section, "allowed": reason})) from None
    if table.players == 0:
        raise refuse("missing_field", field="position", given="players")
    names = [words[0] for words in words_of]
    if "first_dealer" not in names:
        table.first_dealer = table.dealer
    _complete_deck(table, fill="deck" not in names)
    return table


def _empty_table(first: str, text: str) -> Table:
    """An empty table of the position's variant."""
    name, _, rest = first.partition(" ")
    if name not in VARIANTS:
        raise refuse("not_one_of", field="position: variant", given=repr(name), allowed=", ".join(VARIANTS))
    try:
        options: Json = json.loads(rest) if rest else {}
    except ValueError:
        raise BadSetup(Text("set.setup.bad_position", {"given": first, "allowed": ""})) from None
    variant = with_options(VARIANTS[name], options_from(VARIANTS[name], options))
    table = blank(Table, deal=Deal(variant, 0, 0, (), {"position": text}))
    for card in range(len(table.where)):
        table.where[card] = NOWHERE
    for place in range(PLACES):
        table.layout[place] = NONE
    for row in table.personal:
        row[:] = [NONE if has_personal_cards(variant) else 0] * PERSONAL
    for name, default in NUMBERS.items():
        setattr(table, name, default)
    table.control = table.call_deadline = table.agreement_deadline = table.winner = NONE
    seed_reshuffles(table, random_from(DEFAULT_SEED, RESHUFFLES))
    return table


def _parse_section(table: Table, name: str, rest: list[str]) -> None:
    if name == "players":
        table.players = players_from(table.deal.variant, int(rest[0]))
    elif name == "layout":
        table.places = len(rest)
        for place, word in enumerate(rest):
            if word != EMPTY:
                table.layout[place] = _lay(table, word, place)
                table.laid += 1
    elif name == "personal":
        player = _player(table, rest[0])
        for place, word in enumerate(rest[1:]):
            if word != EMPTY:
                table.personal[player][place] = _lay(table, word, PERSONAL_FROM + PERSONAL * player + place)
                table.personal_size[player] += 1
    elif name == "taken":
        table.taken_by[table.taken_size] = _player(table, rest[0])
        for i in range(3):
            table.taken[table.taken_size][i] = _in_deck(table, rest[1 + i])
        table.taken_size += 1
    elif name in ("discard", "deck"):
        pile, size = getattr(table, name), f"{name}_size"
        for word in rest:
            pile[getattr(table, size)] = _in_deck(table, word)
            setattr(table, size, getattr(table, size) + 1)
    elif name == "random":
        for i in range(4):
            table.word[i] = int(rest[i], 16)
    elif name in NUMBERS or name == "agreement_deadline":
        setattr(table, name, int(rest[0]))
    elif name == "first_dealer":
        table.first_dealer = _player(table, rest[0])
    elif name in PER_PLAYER:
        for player, word in enumerate(rest):
            getattr(table, name)[_player(table, str(player))] = int(word)
    elif name in PLAYER_LISTS or name == "agreed":
        for word in rest:
            getattr(table, name)[_player(table, word)] = 1
    elif name == "control":
        table.control = _player(table, rest[0])
        table.call_deadline = int(rest[1])
    elif name == "ended":
        table.ending = {word: ending for ending, word in ENDINGS.items()}[rest[0]]
        table.winner = _player(table, rest[1]) if rest[1:] else NONE
    else:
        raise ValueError(name)


def _player(table: Table, word: str) -> int:
    if not 0 <= int(word) < table.players:
        raise ValueError(word)
    return int(word)


def _in_deck(table: Table, word: str) -> int:
    card = card_of(word)
    if card >= table.deal.variant.cards:
        raise ValueError(word)
    return card


def _lay(table: Table, word: str, where: int) -> int:
    card = _in_deck(table, word)
    if table.where[card] != NOWHERE:
        raise ValueError(word)
    table.where[card] = where
    return card


def _complete_deck(table: Table, *, fill: bool) -> None:
    """Checks that no card is in two places; with `fill`, puts the cards that lie nowhere into the deck."""
    elsewhere = [card for row in table.taken[: table.taken_size] for card in row]
    elsewhere += table.discard[: table.discard_size] + table.deck[: table.deck_size]
    for card in range(table.deal.variant.cards):
        count = elsewhere.count(card) + (table.where[card] != NOWHERE)
        if count > 1:
            raise BadSetup(Text("set.setup.wrong_deck", {"card": format_card(card), "count": count}))
        if count == 0 and fill:
            table.deck[table.deck_size] = card
            table.deck_size += 1
