"""What a line is told: an update as messages, and messages as bytes."""

import msgspec

from threefold.game import Refusal
from threefold.live.calls import Lost
from threefold.live.telling import Update
from threefold.web import protocol as p
from threefold.web.problems import problem_of

TAKEN = ("set.refusal.taken", "set.refusal.somebody_has_control", "live.refusal.quicker")
"""Somebody was quicker: told apart from a mistake, and never punished."""

encode = msgspec.json.Encoder().encode


def refusal_note(refused: Refusal, n: int) -> p.Refused:
    """A refusal as the page is told."""
    problem = problem_of(refused)
    return p.Refused(
        n=n,
        clause=problem.clause,
        message=problem.message,
        text=problem.text,
        field=problem.field,
        taken=refused.text.key in TAKEN,
    )


def messages_of(update: Update) -> list[p.ServerMessage]:
    """What a line has to be told, as messages; a refusal before the ack that covers it, for lines break in between."""
    told: list[p.ServerMessage] = [
        refusal_note(each.why, each.n) if isinstance(each, Lost) else each for each in update.notes
    ]
    if update.table is not None:
        told.append(
            msgspec.convert({**update.table, "seq": update.seq, "ack": update.ack, "is": "table"}, p.TableShown)
        )
    if update.view is not None:
        told.append(
            p.ViewShown(
                seq=update.seq,
                ack=update.ack,
                game=update.number,
                view=msgspec.Raw(update.view),  # type: ignore[arg-type]  # encoded once for all who see the same
                events=None if update.happened is None else msgspec.Raw(update.happened),  # type: ignore[arg-type]  # likewise
                time=update.time,
                turn_ends=update.turn_ends,
            )
        )
    if update.table is None and update.view is None:
        told.append(p.Ack(ack=update.ack, seq=update.seq))
    if update.closed is not None:
        told.append(p.Bye(reason=update.closed, words=update.words))
    return told
