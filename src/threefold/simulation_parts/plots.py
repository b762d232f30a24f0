"""Small SVG plots: histograms, dots with intervals, heat maps. The style sheet of the page gives them their colours."""

from collections.abc import Sequence
from html import escape

from threefold.simulation_parts.statistics import Estimate

WIDTH = 680
LEFT = 150
RIGHT = 120
ROW = 26


def _svg(height: float, parts: Sequence[str], title: str) -> str:
    inside = "".join(parts)
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{inside}</svg>"
    )


def _text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{escape(words)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """About `about` round numbers between two limits."""
    if high <= low:
        return [low]
    rough = (high - low) / about
    power = 1.0
    while power > rough:
        power /= 10
    while power * 10 <= rough:
        power *= 10
    step = next(power * each for each in (1, 2, 5, 10) if power * each >= rough)
    first = int(low // step) + (1 if low % step else 0)
    return [i * step for i in range(first, int(high // step) + 1)]


def dot_plot(rows: Sequence[tuple[str, Estimate]], title: str, *, fair: float | None = None) -> str:
    """Shares in percent, each a dot with its interval; a dashed line at the `fair` share."""
    if not rows:
        return ""
    values = [limit for _, each in rows for limit in (each.low, each.high)] + ([fair] if fair is not None else [])
    low, high = min(values), max(values)
    spread = (high - low) or 0.01
    low, high = max(0.0, low - 0.08 * spread), min(1.0, high + 0.08 * spread)

    def x(value: float) -> float:
        return LEFT + (value - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    bottom = 10 + ROW * len(rows)
    parts = []
    for tick in ticks(low, high):
        parts += [
            _line(x(tick), 6, x(tick), bottom, "grid"),
            _text(x(tick), bottom + 16, f"{100 * tick:g} %", "small", "middle"),
        ]
    if fair is not None:
        parts.append(_line(x(fair), 2, x(fair), bottom, "fair"))
    for i, (name, each) in enumerate(rows):
        y = 10 + ROW * (i + 0.5)
        parts += [
            _text(LEFT - 12, y + 4, name, "", "end"),
            _line(x(each.low), y, x(each.high), y, "whisker"),
            f'<circle cx="{x(each.value):.1f}" cy="{y:.1f}" r="4.5" class="dot"/>',
            _text(WIDTH - RIGHT + 12, y + 4, f"{100 * each.value:.2f} ± {100 * each.margin:.2f}", "small"),
        ]
    return _svg(bottom + 24, parts, title)


def histogram(counts: Sequence[tuple[float, int]], title: str, unit: str, marks: dict[str, float] | None = None) -> str:
    """A histogram of (value, count) pairs, merged into at most sixty bars, with lines at the `marks`."""
    total = sum(count for _, count in counts)
    if not total:
        return ""
    seen, end = 0, len(counts)
    for i, (_, count) in enumerate(counts):
        seen += count
        if seen >= 0.995 * total:
            end = i + 1
            break
    shown = counts[:end]
    each_bar = max(1, -(-len(shown) // 60))
    gathered = [
        (shown[i][0], sum(count for _, count in shown[i : i + each_bar])) for i in range(0, len(shown), each_bar)
    ]
    most = max(count for _, count in gathered)
    height, wide = 190.0, (WIDTH - 40) / len(gathered)
    step = (shown[1][0] - shown[0][0]) * each_bar if len(shown) > 1 else 1
    parts = []
    for i, (value, count) in enumerate(gathered):
        tall = height * count / most
        upto = f"–{value + step - 1:g}" if step > 1 else ""
        parts.append(
            f'<rect x="{20 + i * wide:.1f}" y="{10 + height - tall:.1f}" width="{max(1.0, wide - 1):.1f}" '
            f'height="{tall:.1f}" class="bar"><title>{value:g}{upto} {escape(unit)}: '
            f"{100 * count / total:.2f} %</title></rect>"
        )
    span = step * len(gathered)
    for tick in ticks(shown[0][0], shown[0][0] + span, 8):
        x = 20 + (tick - shown[0][0]) / span * (WIDTH - 40)
        parts.append(_text(x, height + 28, f"{tick:g}", "small", "middle"))
    for name, value in (marks or {}).items():
        x = 20 + (value - shown[0][0]) / span * (WIDTH - 40)
        if x <= WIDTH - 20:
            parts += [_line(x, 10, x, 10 + height, "fair"), _text(x + 4, 20, name, "small")]
    parts.append(_text(WIDTH - 20, height + 46, unit, "small", "end"))
    return _svg(height + 52, parts, title)


def heat_map(rows: Sequence[tuple[str, Sequence[float]]], heads: Sequence[str], title: str) -> str:
    """A table of shares in which larger shares are darker."""
    if not rows:
        return ""
    across = (WIDTH - LEFT + 40) / len(heads)
    left = LEFT - 60
    parts = [_text(left + across * (i + 0.5), 14, head, "small", "middle") for i, head in enumerate(heads)]
    most = max((value for _, values in rows for value in values), default=1.0) or 1.0
    for j, (name, values) in enumerate(rows):
        y = 22 + ROW * j
        parts.append(_text(left - 10, y + 17, name, "", "end"))
        for i, value in enumerate(values):
            if value <= 0:
                continue
            strength = 0.06 + 0.94 * value / most
            says = f"{escape(name)}, {escape(heads[i])}: {100 * value:.2f} %"
            parts.append(
                f'<rect x="{left + across * i:.1f}" y="{y}" width="{across - 2:.1f}" height="{ROW - 2}" class="heat" '
                f'fill-opacity="{strength:.2f}"><title>{says}</title></rect>'
            )
            if across > 30 and value >= 0.005:
                kind = "on" if strength > 0.55 else "small"
                parts.append(_text(left + across * (i + 0.5), y + 16, f"{100 * value:.0f} %", kind, "middle"))
    return _svg(26 + ROW * len(rows), parts, title)
