// Cards that glide to their new places, and new cards that fade in.

import { reducedMotion } from '../../lib/settings.svelte.ts';

export type Places = ReadonlyMap<string, DOMRect>;

function faces(list: HTMLElement | undefined): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('.face-of[data-card]') ?? [])];
}

/** Where the cards of a list are now; empty if nothing is to move. */
export function placesIn(list: HTMLElement | undefined): Places {
  return new Map(
    reducedMotion() ? [] : faces(list).map((each) => [each.dataset.card ?? '', each.getBoundingClientRect()]),
  );
}

/** Moves the cards from where they were. */
export function glide(list: HTMLElement | undefined, before: Places): void {
  if (before.size === 0 || document.hidden) return;
  for (const each of faces(list)) {
    const [from, to] = [before.get(each.dataset.card ?? ''), each.getBoundingClientRect()];
    if (from === undefined) {
      each.animate(
        [
          { opacity: 0, transform: 'scale(0.86)' },
          { opacity: 1, transform: 'none' },
        ],
        { duration: 180, easing: 'ease-out' },
      );
    } else if (Math.abs(from.left - to.left) + Math.abs(from.top - to.top) > 2) {
      const start = `translate(${from.left - to.left}px, ${from.top - to.top}px) scale(${from.width / to.width})`;
      each.animate(
        [
          { transform: start, transformOrigin: '0 0' },
          { transform: 'none', transformOrigin: '0 0' },
        ],
        { duration: 320, easing: 'ease-in-out' },
      );
    }
  }
}
