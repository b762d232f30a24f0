// Explains why three cards are no SET: on the cards, each one's value in every failing feature, and in a panel of all
// features. The odd value of a failing feature is marked.

import type { Badge } from './GridCard.svelte';
import { FEATURES } from '../../generated/set.ts';
import type { Text } from '../../lib/texts.ts';
import { t } from '../../lib/i18n.svelte.ts';

export interface FeatureRow {
  feature: (typeof FEATURES)[number];
  fails: boolean;
  /** The value of each card as the letter of its code. */
  values: { letter: string; odd: boolean }[];
}

/** All features of three cards, with those that fail. */
export function featureRows(cards: readonly string[], failing: readonly Text[]): FeatureRow[] {
  const named = failing.map((each) => each.parameters?.['feature']);
  return FEATURES.map((feature, at) => {
    const fails = named.includes(feature);
    const letters = cards.map((card) => card[at] ?? '');
    const isOdd = (letter: string): boolean => letters.filter((each) => each === letter).length === 1;
    return { feature, fails, values: letters.map((letter) => ({ letter, odd: fails && isOdd(letter) })) };
  });
}

/** Badges for the three cards. */
export function failingBadges(cards: readonly string[], failing: readonly Text[]): { [card: string]: Badge[] } {
  const rows = featureRows(cards, failing).filter((each) => each.fails);
  return Object.fromEntries(
    cards.map((card, i) => [
      card,
      rows.map(({ feature, values }) => {
        const { letter = '', odd = false } = values[i] ?? {};
        return { words: t(`page.set.${feature}.${letter}`), odd };
      }),
    ]),
  );
}
