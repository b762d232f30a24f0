"""Does a screen fit? Walks one page through all window sizes and lists what a player cannot see, read or tap.

Marks that components set for this check:
- `data-read`: a text that must be read. It has to be whole: not cut, not covered, not outside the window.
- `data-scrolls`: a list that is meant to scroll. What is inside may lie outside its box, but scrolling must reach it.
- `data-overlaps`: a card in a fan. A part of it must stay free for a finger, at least 24 by 24 pixels.
Dialogs may scroll. While one is open, only what is inside it is checked.

SCREENSHOTS may name a folder; then every size of every walk is also saved as a picture.
"""

import os
from collections.abc import Iterable
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.people import still

PHONES_UPRIGHT = ((320, 568), (360, 560), (375, 553), (390, 664), (390, 844))
PHONES_ASIDE = ((667, 331), (844, 340), (844, 390))
TABLETS = ((768, 1024), (1024, 768))
DESKS = ((1280, 640), (1366, 650), (1920, 1080), (2560, 1440))
SIZES = (*PHONES_UPRIGHT, *PHONES_ASIDE, *TABLETS, *DESKS)

MISFITS = """
() => {
  const [WIDTH, HEIGHT, SLACK, TARGET, FREE] = [innerWidth, innerHeight, 1, 44, 24];
  const found = [];
  const dialog = [...document.querySelectorAll('dialog[open]')].filter(each => each.matches(':modal')).at(-1);
  const root = dialog ?? document.body;
  const named = each => {
    const words = (each.getAttribute('aria-label') ?? each.textContent ?? '').trim().replace(/\\s+/g, ' ').slice(0, 40);
    return `${each.tagName.toLowerCase()}.${[...each.classList].slice(0, 2).join('.')} "${words}"`;
  };
  const boxed = box => `[${[box.left, box.top, box.right, box.bottom].map(Math.round).join(' ')}]`;
  const style = each => getComputedStyle(each);
  const scrolls = each => each.hasAttribute('data-scrolls') || each.localName === 'dialog';
  const unseen = each => {
    if (!each.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return true;
    for (let at = each; at && at !== document.body; at = at.parentElement) {
      if (at.classList.contains('sr-only') || at.inert) return true;
    }
    return false;
  };
  const outside = (box, frame) => box.left < frame.left - SLACK || box.top < frame.top - SLACK
    || box.right > frame.right + SLACK || box.bottom > frame.bottom + SLACK;
  const windowBox = { left: 0, top: 0, right: WIDTH, bottom: HEIGHT };
  const hits = (each, x, y) => {
    const top = document.elementFromPoint(x, y);
    return top !== null && (each === top || each.contains(top) || (top.contains(each) && top.localName === 'label'));
  };
  const free = (each, box) => {
    const seen = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
    for (let x = Math.max(1, box.left + 2); x < Math.min(WIDTH, box.right); x += 4) {
      for (let y = Math.max(1, box.top + 2); y < Math.min(HEIGHT, box.bottom); y += 4) {
        if (!hits(each, x, y)) continue;
        seen.left = Math.min(seen.left, x); seen.right = Math.max(seen.right, x + 4);
        seen.top = Math.min(seen.top, y); seen.bottom = Math.max(seen.bottom, y + 4);
      }
    }
    return seen.right - seen.left >= FREE && seen.bottom - seen.top >= FREE;
  };

  const page = document.scrollingElement;
  if (!dialog && page.scrollHeight > HEIGHT + SLACK) found.push(`the page is ${page.scrollHeight} high`);
  if (page.scrollWidth > WIDTH + SLACK) found.push(`the page is ${page.scrollWidth} wide`);
  for (const each of root.querySelectorAll('*')) {
    const { overflowX, overflowY } = style(each);
    const down = /auto|scroll/.test(overflowY) && each.scrollHeight > each.clientHeight + SLACK;
    const across = /auto|scroll/.test(overflowX) && each.scrollWidth > each.clientWidth + SLACK;
    if ((down || across) && !scrolls(each) && !unseen(each)) found.push(`${named(each)} scrolls`);
  }
  const tapped = 'button, a[href], input, select, textarea, summary, [role=button], [role=slider], [data-read]';
  for (const each of root.querySelectorAll(tapped)) {
    if (unseen(each)) continue;
    const says = [];
    const reads = each.hasAttribute('data-read');
    const before = [];
    for (let at = each.parentElement; at; at = at.parentElement) {
      if (scrolls(at)) before.push([at, at.scrollLeft, at.scrollTop]);
    }
    if (before.length > 0) each.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    const box = each.getBoundingClientRect();
    if (outside(box, windowBox)) says.push('outside the window');
    for (let at = each.parentElement; at && at !== document.documentElement; at = at.parentElement) {
      const { overflowX, overflowY } = style(at);
      if (overflowX === 'visible' && overflowY === 'visible') continue;
      if (outside(box, at.getBoundingClientRect())) says.push(`clipped by ${named(at)}`);
    }
    if (reads && (each.scrollWidth > each.clientWidth + SLACK || each.scrollHeight > each.clientHeight + SLACK)
      && style(each).display !== 'inline' && style(each).overflow !== 'visible') says.push('cut');
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const fan = each.closest('[data-overlaps]') !== null;
    if (says.length === 0 && !(fan ? free(each, box) : hits(each, x, y))) {
      const top = document.elementFromPoint(x, y);
      says.push(`covered by ${top ? named(top) : 'nothing'}`);
    }
    const inText = style(each).display === 'inline' || each.type === 'radio' || each.type === 'checkbox';
    if (!reads && !fan && !inText && (box.width < TARGET - SLACK || box.height < TARGET - SLACK)) {
      says.push(`only ${Math.round(box.width)} by ${Math.round(box.height)}`);
    }
    for (const [at, left, top] of before) at.scrollTo({ left, top, behavior: 'instant' });
    if (says.length > 0) found.push(`${named(each)} ${boxed(box)} is ${says.join(', ')}`);
  }
  return found;
}
"""


def misfits(page: Page) -> list[str]:
    """What does not fit at the present size of the window."""
    found: list[str] = page.evaluate(MISFITS)
    return found


def walk(page: Page, name: str, sizes: Iterable[tuple[int, int]] = SIZES) -> list[str]:
    """What does not fit, at each size; `name` is the state of the page, for the list and the pictures."""
    folder = os.environ.get("SCREENSHOTS")
    page.mouse.move(0, 0)  # nothing is hovered
    found: list[str] = []
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        still(page)
        found += [f"{name} {width}x{height}: {each}" for each in misfits(page)]
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=Path(folder) / f"{name}-{width}x{height}.png")
    return found
