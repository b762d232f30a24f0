"""The HTML report of a result (`--report out.html`): one self-contained page with plots and their numbers."""

import json
from html import escape

from threefold.simulation_parts.results import Result
from threefold.simulation_parts.shown import Section
from threefold.texts import catalogue

STYLE = """
:root { color-scheme: light dark; --paper: #fbfaf7; --ink: #23211d; --soft: #6d685e; --rule: #dcd7cb; --mark: #2f6f8f;
  --warm: #b4532a; }
@media (prefers-color-scheme: dark) { :root { --paper: #191816; --ink: #ece8df; --soft: #a19b8e; --rule: #3a3732;
  --mark: #7fbcd8; --warm: #e59a70; } }
body { background: var(--paper); color: var(--ink); font: 16px/1.5 Georgia, 'Times New Roman', serif;
  max-width: 720px; margin: 3rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin-bottom: .2rem; } h2 { font-size: 1.15rem; margin: 2.4rem 0 .4rem; }
p.lead { font-size: 1.1rem; } .soft, .small { color: var(--soft); } .soft { font-size: .9rem; }
svg { width: 100%; height: auto; font: 13px system-ui, sans-serif; overflow: visible; }
svg text { fill: var(--ink); } svg text.on { fill: var(--paper); }
svg text.small { fill: var(--soft); font-size: 12px; }
.grid { stroke: var(--rule); } .fair { stroke: var(--warm); stroke-dasharray: 4 4; }
.whisker { stroke: var(--mark); stroke-width: 3; stroke-linecap: round; opacity: .55; }
.dot, .bar, .heat { fill: var(--mark); }
table { border-collapse: collapse; width: 100%; font: 14px/1.5 system-ui, sans-serif; }
th { text-align: right; font-weight: 600; color: var(--soft); } td { text-align: right; }
th, td { padding: .25rem .5rem; border-bottom: 1px solid var(--rule); font-variant-numeric: tabular-nums; }
th:first-child, td:first-child { text-align: left; } details { margin-top: 2rem; }
pre { overflow-x: auto; font-size: 12px; }
"""


def report_page(result: Result) -> str:
    """The whole page."""
    title = f"{_rules(result)}, {result.games:,} games"
    body = _introduction(result) + "".join(map(_section, result.sections()))
    numbers = escape(json.dumps(result.as_json(), indent=1))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style></head><body>{body}"
        f"<details><summary>All numbers (JSON)</summary><pre>{numbers}</pre></details></body></html>\n"
    )


def _rules(result: Result) -> str:
    rules = json.loads(result.spec.rules)
    name = rules.replace("_", " ") if isinstance(rules, str) else "a house edition"
    return f"{catalogue().get(f'page.game.{result.spec.game}', result.spec.game)}, {name}"


def _introduction(result: Result) -> str:
    short = " The run was stopped by hand." if result.interrupted else ""
    players = ", ".join(result.spec.players)
    return (
        f"<h1>{escape(_rules(result))}</h1>"
        f'<p class="soft">{result.games:,} games, {result.moves:,} moves; players: {escape(players)}; '
        f"seed {escape(result.spec.seed)}.{short} All intervals are 95 % confidence intervals.</p>"
        f'<p class="lead">{escape(result.lead())}</p>'
    )


def _section(section: Section) -> str:
    return f'<h2>{escape(section.heading)}</h2><p class="soft">{escape(section.words)}</p>{section.plots}'
