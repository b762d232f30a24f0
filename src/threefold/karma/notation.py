"""Text <-> cards and moves. (Positions are in `positions.py`, saved games in `threefold.saved`.)

Cards: `1` … `16`, `GIV TAB BOT LOW OWN EXC SEA CLR LOS 711 PAS ONE`, and `D1`, `D2` … for a house edition's designs.
Moves: `face up 7 9 GIV`, `play 7 7`, `flip 2`, `pick up`, `choose 3` (a player), `give 7`, `give face down 2`,
`decline`, `draw`, `end turn`, `peek 2`, `swap 7 12` (face-up card, hand card), `offer draw`, `agree draw`.
"""

from collections.abc import Sequence

from threefold.game import IllegalMove
from threefold.karma import moves as m
from threefold.karma.table import (
    DRAW_AGREED,
    FACE_DOWN,
    FACE_UP,
    HAND,
    NOBODY_LEFT,
    ONE_LEFT,
    PLACES,
    SEATS,
    TURN_LIMIT,
    Edition,
)
from threefold.texts import Text

LOCATIONS = {HAND: "hand", FACE_UP: "face_up", FACE_DOWN: "face_down"}
ENDINGS = {ONE_LEFT: "one_left", NOBODY_LEFT: "nobody_left", TURN_LIMIT: "turn_limit", DRAW_AGREED: "draw_agreed"}

WITHOUT_MORE = {
    "pick up": m.PICK_UP,
    "decline": m.DECLINE,
    "draw": m.DRAW,
    "end turn": m.END_TURN,
    "offer draw": m.OFFER_DRAW,
    "agree draw": m.AGREE_DRAW,
}
WITH_A_PLACE = {"flip": m.FLIP, "give face down": m.GIVE_FACE_DOWN, "peek": m.PEEK}
WITH_MORE = {
    "face up": m.CHOOSE_FACE_UP,
    "play": m.PLAY,
    "choose": m.CHOOSE_PLAYER,
    "give": m.GIVE,
    "swap": m.SWAP,
}
WORDS = {what: words for words, what in {**WITHOUT_MORE, **WITH_A_PLACE, **WITH_MORE}.items()}


def kind_of(edition: Edition, code: str) -> int:
    """The kind that a card's code stands for; a move with another word is refused."""
    for kind, card in enumerate(edition.cards):
        if card.code == code.upper():
            return kind
    allowed = " ".join(card.code for card in edition.cards)
    raise IllegalMove(Text("karma.refusal.no_such_card", {"given": code[:20], "allowed": allowed}))


def codes(edition: Edition, kinds: Sequence[int]) -> list[str]:
    """The codes of some cards."""
    written = edition.codes
    return [written[kind] for kind in kinds]


def format_move(edition: Edition, move: int) -> str:
    """A move as people write it."""
    what, first, second = m.what_of(move), m.first_of(move), m.second_of(move)
    words = WORDS[what]
    if what == m.CHOOSE_FACE_UP:
        return " ".join([words, *codes(edition, (first, second, m.third_of(move)))])
    if what == m.PLAY:
        return " ".join([words, *codes(edition, [first] * second)])
    if what == m.CHOOSE_PLAYER:
        return f"{words} {first}"
    if what == m.GIVE:
        return f"{words} {edition.codes[first]}"
    if what == m.SWAP:
        return " ".join([words, *codes(edition, (first, second))])
    return f"{words} {first + 1}" if words in WITH_A_PLACE else words


def parse_move(edition: Edition, text: str) -> int:
    """Reads a move; raises IllegalMove for what is no move at all, whatever lies on the table."""
    words = text.lower().split()
    said = " ".join(words)
    if said in WITHOUT_MORE:
        return m.move_of(WITHOUT_MORE[said], 0, 0, 0)
    for start, what in WITH_A_PLACE.items():
        if words[:-1] == start.split():
            return m.move_of(what, _number(text, words[-1], 1, PLACES) - 1, 0, 0)
    if words[:1] == ["choose"] and len(words) == 2:
        return m.move_of(m.CHOOSE_PLAYER, _number(text, words[1], 0, SEATS - 1), 0, 0)
    if words[:1] == ["give"] and len(words) == 2:
        return m.move_of(m.GIVE, kind_of(edition, words[1]), 0, 0)
    if words[:2] == ["face", "up"] and len(words) == 2 + PLACES:
        a, b, c = sorted(kind_of(edition, word) for word in words[2:])
        return m.move_of(m.CHOOSE_FACE_UP, a, b, c)
    if words[:1] == ["play"] and 2 <= len(words) < 256:
        return _parse_play(edition, words[1:])
    if words[:1] == ["swap"] and len(words) == 3:
        return m.move_of(m.SWAP, kind_of(edition, words[1]), kind_of(edition, words[2]), 0)
    raise not_a_move(text)


def _parse_play(edition: Edition, words: list[str]) -> int:
    kinds = [kind_of(edition, word) for word in words]
    if len(set(kinds)) > 1:
        raise IllegalMove(Text("karma.refusal.not_identical", {"cards": codes(edition, kinds)}), "K17")
    return m.move_of(m.PLAY, kinds[0], len(kinds), 0)


def _number(text: str, word: str, least: int, most: int) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 2 and least <= int(word) <= most):
        raise not_a_move(text)
    return int(word)


def not_a_move(text: str) -> IllegalMove:
    """What is said of a text that is no move."""
    return IllegalMove(Text("karma.refusal.not_a_move", {"move": text[:60]}))
