"""What programs may import, listed once: module -> names.

Everything else may change without notice. These names and their signatures change only together with a line in the
changelog, which a test checks. A `Table` is opaque: read it through `view`, `state` and `decisions`.
"""

PUBLIC: dict[str, tuple[str, ...]] = {
    "threefold.karma": (
        "KARMA", "Table", "anytime", "card_names", "decisions", "ending", "explain", "new", "open_view", "play",
        "players", "setup", "state", "view", "views",
    ),
    "threefold.karma.design": ("Design", "code_from_design", "design_from_code", "design_from_json"),
    "threefold.setgame": (
        "SET", "Table", "anytime", "card_names", "decisions", "ending", "explain", "hint", "new", "open_view", "play",
        "players", "setup", "state", "view",
    ),
    "threefold.game": (
        "BadSetup", "Decision", "Ending", "Event", "Game", "IllegalMove", "Refusal", "Step", "event_text",
    ),
    "threefold.saved": ("Move", "Replay", "load", "save"),
    "threefold.texts": ("Names", "Text", "say"),
    "threefold.simulation": (
        "Comparison", "Estimate", "Progress", "Result", "Trial", "compare", "dot_plot", "histogram", "simulate",
        "try_design",
    ),
    "threefold.simulation.batch": ("Arrays", "Batch"),
    "threefold.simulation.export": ("write_csv", "write_parquet"),
    "threefold.simulation.report": ("report_page",),
}  # fmt: skip
OPAQUE = ("Table",)
"""Classes whose inside is not part of the interface."""
