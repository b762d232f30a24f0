"""Messages as bytes: the only module that knows what the socket protocol looks like in JSON."""

from collections.abc import Callable
from typing import Annotated

import msgspec

from threefold.game import Refusal
from threefold.live.audience import Update
from threefold.live.notices import Announcement, MatchFound, Remark
from threefold.live.race import LostCall
from threefold.live.refusals import refuse
from threefold.web import protocol as p
from threefold.web.limits import LARGEST_MESSAGE
from threefold.web.problems import field_problem, problem_of

LARGEST_NUMBER = 2**53 - 1
"""The largest whole number that every JSON reader keeps."""
TAKEN = ("set.refusal.taken", "set.refusal.somebody_has_control", "live.refusal.quicker")
"""Refusals because somebody was quicker: no mistake, and never punished."""


class Numbered(msgspec.Struct):
    """The number of any message; everything else in it is ignored."""

    n: Annotated[int, msgspec.Meta(ge=0, le=LARGEST_NUMBER)] = 0


encode = msgspec.json.Encoder().encode
_decode_number = msgspec.json.Decoder(Numbered).decode
_decode: Callable[[bytes], p.ClientMessage] = msgspec.json.Decoder(p.union_of(p.ClientMessage)).decode


def decode(text: bytes | None) -> p.ClientMessage:
    """The message of a text; the refusal of a bad one names the wrong field. None stands for binary data."""
    if text is None:
        raise refuse("not_text", field="message")
    if len(text) > LARGEST_MESSAGE:
        raise refuse("too_large", field="message", most=LARGEST_MESSAGE)
    try:
        message = _decode(text)
    except msgspec.ValidationError as problem:
        field, complaint = field_problem(str(problem))
        raise refuse("bad_field", field=field, given=complaint) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as problem:
        raise refuse("not_json", field="message", given=str(problem)[:80]) from None
    if not 0 <= message.n <= LARGEST_NUMBER:
        raise refuse("bad_field", field="n", given=f"a number from 0 to {LARGEST_NUMBER}")
    return message


def number_of(text: bytes | None) -> int:
    """The number of a message that cannot be decoded, if it has one; otherwise 0."""
    try:
        return _decode_number(text or b"").n
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return 0


def is_text(data: bytes) -> bool:
    """Are these bytes valid UTF-8?"""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def refused_message(refusal: Refusal, n: int) -> p.Refused:
    """A refusal as a message."""
    problem = problem_of(refusal)
    return p.Refused(
        n=n,
        clause=problem.clause,
        message=problem.message,
        text=problem.text,
        field=problem.field,
        taken=refusal.text.key in TAKEN,
    )


def messages_of(update: Update) -> list[p.ServerMessage]:
    """An update as messages. A refusal comes before the ack that covers it: the connection may break in between."""
    messages: list[p.ServerMessage] = []
    if update.notes:
        messages += map(_note_message, update.notes)
    if update.table is not None:
        messages.append(
            msgspec.convert({**update.table, "seq": update.seq, "ack": update.ack, "is": "table"}, p.TableShown)
        )
    if update.view is not None:
        messages.append(_view_message(update, update.view))
    elif update.table is None:
        messages.append(p.Ack(ack=update.ack, seq=update.seq))
    if update.closed is not None:
        messages.append(p.Bye(reason=update.closed, words=update.closed_words))
    return messages


def _note_message(note: p.ServerMessage | LostCall | Announcement) -> p.ServerMessage:
    match note:
        case LostCall():
            return refused_message(note.why, note.n)
        case Remark():
            return p.Said(guest=note.guest, sort=note.sort, what=note.what, at=note.at)
        case MatchFound():
            return p.Matched(code=note.code)
    return note


def _view_message(update: Update, view: bytes) -> p.ViewShown:
    """The View and its events are JSON already."""
    events = update.events
    return p.ViewShown(
        seq=update.seq,
        ack=update.ack,
        game=update.game,
        view=msgspec.Raw(view),  # type: ignore[arg-type]  # msgspec writes it as it is
        events=None if events is None else [p.Happened(seq=seq, events=msgspec.Raw(shown)) for seq, shown in events],  # type: ignore[arg-type]  # the same
        time=update.time,
        turn_ends=update.turn_ends,
    )


def encode_update(update: Update) -> list[bytes]:
    """An update as texts to send."""
    return list(map(encode, messages_of(update)))
