"""Views and events of SET have exactly their declared forms, and the flags say what each variant does."""

from typing import Any

import pytest

from tests.forms import event_misfits, misfits
from tests.setgame.tables import wander
from threefold import setgame
from threefold.setgame.forms import PausedSetView, SetView, WithoutCards, event_forms
from threefold.setgame.kit import KIT
from threefold.setgame.variants import VARIANTS

FORMS = {form.name: form for form in event_forms()}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("number", range(3))
def test_every_view_and_event_has_its_declared_form_and_the_flags_hold(variant: str, number: int) -> None:
    players = max(VARIANTS[variant].fewest_players, min(3, VARIANTS[variant].most_players))
    for each in wander({"variant": variant, "players": players}, number, 120):
        step = each.step
        table = step.table
        for viewer in (None, *range(players)):
            view = setgame.view(table, viewer)
            assert not misfits(view, SetView)
            assert not [misfit for event in step.events for misfit in event_misfits(event.seen_by(viewer), FORMS)]
            check_flags(view)
            shown = {"paused": True, **{name: view[name] for name in KIT.shown_while_paused if name in view}}  # type: ignore[literal-required]
            assert not misfits(shown, PausedSetView)


def check_flags(view: SetView) -> None:
    flags = view["flags"]
    assert ("personal" in view) == ("centre" in view) == (flags["personal"] > 0)
    assert ("penalty" in view) == flags["alone"]
    assert view.get("target") == flags["target"]
    assert flags["call_first"] or "call" not in view["moves"]
    assert {"agree", "ask", "more cards"} & set(view["moves"]) <= set(flags["moves"])
    laid: list[Any] = view.get("layout", view.get("centre", []))
    assert len(laid) <= flags["most_laid"]
    if flags["deals"] is not None:
        assert view["deal"] <= flags["deals"]


def test_a_paused_view_shows_no_cards() -> None:
    assert not {"layout", "centre", "personal", "taken", "awaits", "take"} & set(WithoutCards.__annotations__)
