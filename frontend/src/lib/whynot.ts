// Why three cards are no SET, on the cards themselves: for each feature that fails, what each card shows and which is odd.

import type { Badge } from '../parts/SetGrid.svelte';
import type { Text } from './texts.ts';
import { t } from './words.svelte.ts';

const FEATURES = ['number', 'colour', 'shading', 'shape'];

/** What to write on the three cards. */
export function whyNot(cards: readonly string[], failing: readonly Text[]): { [card: string]: Badge[] } {
  const features = failing.map((each) => String(each.parameters?.['feature'])).filter((each) => FEATURES.includes(each));
  const badges: { [card: string]: Badge[] } = {};
  for (const card of cards) {
    badges[card] = features.map((feature) => {
      const at = FEATURES.indexOf(feature);
      const same = cards.filter((each) => each[at] === card[at]).length;
      return { words: t(`page.set.${feature}.${card[at] ?? ''}`), odd: same === 1 };
    });
  }
  return badges;
}
