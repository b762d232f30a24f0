"""Reference data for the page's unit tests: sentences as formatted by Python, and games as players see them."""

import json
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from tests.finished import KARMA_WAYS, SET_WAYS, play_out
from threefold.games import KITS
from threefold.live.replay import seen, timeline
from threefold.saved import opened, played
from threefold.texts import DERIVED, LANGUAGES, Names, Text, catalogue, say
from threefold.texts.plurals import arabic, polish

Json = Any
NAMES = Names(("Ada", "Ben", "Cleo", "Dov"), {"D1": "Scout"})
EVERY_CARD: Json = {
    "karma": dict.fromkeys(("GIV", "TAB", "BOT", "LOW", "OWN", "EXC", "SEA", "CLR", "LOS", "711", "PAS", "ONE"), 2),
    "designs": [{"code": "K1HIcAAg8AABAAAFNjb3V0"}],
}
OPTIONS: dict[str, Json] = {"second_edition": {"create_your_karma": "move left"}, "mini_round": {"draw": "by hand"}}
SETUPS: tuple[Json, ...] = (
    *({"edition": way["edition"], "options": OPTIONS.get(way["edition"], {})} for way in KITS["karma"].ways()),
    {"edition": EVERY_CARD, "options": {}},
)
"""Every published edition, and a house edition with every card."""
SAMPLES: dict[str, tuple[Json, ...]] = {
    "player": (0, 1), "to": (1, 2), "other": (1,), "loser": (0, 1), "card": ("7", "GIV", "D1", None), "top": ("9",),
    "up": ("4",), "hand": ("TAB",), "cards": ([], ["8"], ["GIV", "7", "7"], ["GIV", "GIV"]),
    "count": (0, 1, 3), "n": (1, 4, 1015),
    "low": (7,), "high": (11,), "least": (2,), "most": (6,), "place": (2,), "power": ("reverse", "give_pile"),
    "moved": ([{"player": 0}, {"player": 2}], [{"player": 0}, {"player": 1}, {"player": 2}]), "today": (True, False),
    "powers": (["reverse", "ask_for"],),
    "location": ("hand",), "winners": ([], [0], [1], [0, 2]), "losers": ([1],),
    "players": ([1, 2],), "again": (True, False),
    "fits": (True, False), "way": ("left", "right"), "whom": ("one", "next", "self"), "why": ("run", "power"),
    "from": ("hand", "face_up"), "direction": (1, -1), "reason": ("one_left", "draw_agreed", "no_set_left"),
    "by_time": (True, False), "deadline": (None, 900),
    "failing": ([{"key": "set.why_not.shape.oval.diamond"}, {"key": "set.why_not.colour.red.green"}],),
    "reasons": ([{"key": "set.why.shape.same"}, {"key": "set.why.colour.different"}],),
}  # fmt: skip


def sentences() -> Json:
    """Every key of every language with sample parameters, and its sentence."""
    said = []
    for language in LANGUAGES:
        for key, sentence in catalogue(language).items():
            names = sorted({source for name in parameters_of(sentence) for source in DERIVED.get(name, ((name,),))[0]})
            choices = [SAMPLES.get(name, ("x",)) for name in names]
            for values in list(product(*choices))[:24]:
                parameters = dict(zip(names, values, strict=True))
                if any(value is None and name not in branches_of(sentence) for name, value in parameters.items()):
                    continue
                text = Text(key, parameters)
                spoken = say(text, viewer=0, names=NAMES, language=language)
                if "None" not in spoken:
                    said.append({"language": language, "text": text.as_json(), "says": spoken})
    return said


def branches_of(sentence: Json) -> set[str]:
    """The parameters by which a sentence branches."""
    if isinstance(sentence, str):
        return set()
    inside = (branches_of(value) for name, value in sentence.items() if name != "by")
    return {sentence["by"]}.union(*inside)


def parameters_of(sentence: Json) -> set[str]:
    """All parameters of a sentence, shown or used for branching."""
    if isinstance(sentence, str):
        return {part.split("}")[0] for part in sentence.split("{")[1:]}
    inside = (parameters_of(value) for name, value in sentence.items() if name != "by")
    return {sentence["by"]}.union(*inside)


def game(setup: Json, seed: str, viewer: int | None, moves: int = 400) -> Json:
    """A whole game as one viewer sees it: a View, then for each move the events and the next View."""
    karma = KITS["karma"].game
    random = Random(seed)  # noqa: S311 (a random choice of moves)
    table = karma.new({**setup, "players": 4, "seed": f"v1:{seed}"})
    steps: list[Json] = [{"view": karma.view(table, viewer), "events": []}]
    while (awaited := karma.decisions(table)) and len(steps) <= moves:
        decision = random.choice(awaited)
        step = karma.play(table, decision.player, random.choice(decision.moves), None)
        table = step.table
        steps.append({"view": karma.view(table, viewer), "events": [each.seen_by(viewer) for each in step.events]})
    return {"steps": steps}


def set_game(way: Json, viewer: int | None) -> Json:
    """A game of one variant of SET as one viewer sees it."""
    saved = play_out("set", {"variant": way["variant"]}, ["human5"] * min(2, way["players"][-1]), most=150).saved
    rules, table, rows = opened(saved)
    return {
        "views": [rules.view(each, viewer) for each in (table, *(step.table for step in played(rules, table, rows)))]
    }


def replayed(game: str, way: Json) -> Json:
    """A game in the format of a replay, and the Views that it encodes."""
    bots = ["careful"] * 3 if game == "karma" else ["human5"] * (1 if way["variant"] == "solitaire" else 2)
    saved = play_out(game, way, bots, most=80).saved
    rules, table, rows = opened(saved)
    tables = [table, *(each.table for each in played(rules, table, rows))]
    return {"game": game, "timeline": timeline(saved, "open"), "views": [seen(rules, each, "open") for each in tables]}


def plurals() -> Json:
    """The plural category of many numbers by Python's rules, by language."""
    rules = {**LANGUAGES, "pl": polish, "ar": arabic}
    numbers = [*range(250), 1000, 1_000_000, 3_000_000, 0.5, 1.5, 2.5, 21.5]
    return {language: [(number, rule(number)) for number in numbers] for language, rule in rules.items()}


def write(folder: Path) -> None:
    """Writes all reference data as JSON."""
    (folder / "sentences.json").write_text(json.dumps(sentences()), "utf-8")
    (folder / "plurals.json").write_text(json.dumps(plurals()), "utf-8")
    games = [game(setup, f"page{i}", viewer) for i, setup in enumerate(SETUPS) for viewer in (0, None)]
    (folder / "games.json").write_text(json.dumps(games), "utf-8")
    set_games = [set_game(way, viewer) for way in KITS["set"].ways() for viewer in (0, None)]
    (folder / "setGames.json").write_text(json.dumps(set_games), "utf-8")
    ways = [("karma", way) for way in KARMA_WAYS.values()] + [("set", way) for way in SET_WAYS.values()]
    (folder / "replays.json").write_text(json.dumps([replayed(*each) for each in ways]), "utf-8")
