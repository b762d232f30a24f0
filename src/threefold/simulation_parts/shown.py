"""What a result shows: grids and facts in the terminal, sections with plots on the page of a report."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True, slots=True)
class Grid:
    """A table with a title. The first column is text, the others are numbers."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Fact:
    """A labelled line, and counts to draw below it as bars."""

    label: str
    text: str
    bars: Sequence[int] = ()


Shown = Grid | Fact


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page: a heading, a sentence, and plots as HTML."""

    heading: str
    words: str
    plots: str


def html_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table for a section."""
    top = "".join(f"<th>{escape(each)}</th>" for each in headings)
    lines = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{top}</tr>{lines}</table>"
