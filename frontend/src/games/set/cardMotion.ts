// Cards that glide to their new places, and new cards that are dealt from the deck.

import { pace, reducedMotion } from '../../lib/settings.svelte.ts';

export type Places = ReadonlyMap<string, DOMRect>;

const DEAL_MS = 320;
/** Where there is no deck, everybody wants to see the new cards at once. */
const APPEAR_MS = 180;
const APART_MS = 40;
const GLIDE_MS = 320;
const FADE_MS = 120;
const CARD_EASE = 'cubic-bezier(0.2, 0.8, 0.2, 1)';

function faces(list: HTMLElement | undefined): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('.face-of[data-card]') ?? [])];
}

/** Where the cards of a list are now. */
export function placesIn(list: HTMLElement | undefined): Places {
  return new Map(faces(list).map((each) => [each.dataset.card ?? '', each.getBoundingClientRect()]));
}

/** Moves the cards from where they were, and deals the new ones after `wait` milliseconds. */
export function glide(list: HTMLElement | undefined, before: Places, wait: number): void {
  if (document.hidden) return;
  const deck = document.querySelector('[data-at="deck"]')?.getBoundingClientRect();
  let dealt = 0;
  for (const each of faces(list)) {
    const [from, to] = [before.get(each.dataset.card ?? ''), each.getBoundingClientRect()];
    if (from === undefined) {
      const start = reducedMotion() ? 'none' : dealtFrom(deck, to);
      each.animate(
        [
          { opacity: 0, transform: start },
          { opacity: 1, offset: 0.3 },
          { opacity: 1, transform: 'none' },
        ],
        reducedMotion()
          ? { duration: FADE_MS }
          : {
              duration: (deck ? DEAL_MS : APPEAR_MS) * pace(),
              delay: wait + (deck ? APART_MS * dealt * pace() : 0),
              easing: CARD_EASE,
              fill: 'backwards',
            },
      );
      dealt += 1;
    } else if (!reducedMotion() && Math.abs(from.left - to.left) + Math.abs(from.top - to.top) > 2) {
      const start = `translate(${from.left - to.left}px, ${from.top - to.top}px) scale(${from.width / to.width})`;
      each.animate(
        [
          { transform: start, transformOrigin: '0 0' },
          { transform: 'none', transformOrigin: '0 0' },
        ],
        { duration: GLIDE_MS * pace(), easing: 'ease-in-out' },
      );
    }
  }
}

/** The transform of a card that lies on the deck; without a deck it grows where it will lie. */
function dealtFrom(deck: DOMRect | undefined, to: DOMRect): string {
  if (!deck) return 'scale(0.86)';
  const x = deck.left + deck.width / 2 - to.left - to.width / 2;
  const y = deck.top + deck.height / 2 - to.top - to.height / 2;
  return `translate(${x}px, ${y}px) rotate(-14deg) scale(${Math.min(1, deck.height / to.height)})`;
}
