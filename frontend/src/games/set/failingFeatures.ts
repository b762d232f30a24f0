// Explains on the cards why three cards are no SET: each card's value in every failing feature, with the odd one
// marked.

import type { Badge } from './GridCard.svelte';
import { FEATURES } from '../../generated/set.ts';
import type { Text } from '../../lib/texts.ts';
import { t } from '../../lib/i18n.svelte.ts';

/** Badges for the three cards. */
export function failingBadges(cards: readonly string[], failing: readonly Text[]): { [card: string]: Badge[] } {
  const named = failing.map((each) => each.parameters?.['feature']);
  const features = FEATURES.filter((each) => named.includes(each));
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
