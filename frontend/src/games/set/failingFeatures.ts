// Explains why cards are no SET: on the cards, each one's value in every failing feature, and in a panel of all
// features. The odd value of a failing feature is marked.

import type { Badge } from './GridCard.svelte';
import type { Text } from '../../lib/texts.ts';
import { featuresOf, lettersOf, type Feature } from './cardLetters.ts';
import { t } from '../../lib/i18n.svelte.ts';

/** Stands for the letter of a card that has no frame. */
const NO_FRAME = 'N';

export interface FeatureRow {
  feature: Feature;
  fails: boolean;
  /** The value of each card as the letter of its code. */
  values: { letter: string; odd: boolean }[];
}

/** All features of the cards, with those that fail. */
export function featureRows(cards: readonly string[], failing: readonly Text[]): FeatureRow[] {
  const named = failing.map((each) => each.parameters?.['feature']);
  return featuresOf(cards).map((feature) => {
    const fails = named.includes(feature);
    const letters = cards.map((card) => lettersOf(card)[feature] ?? NO_FRAME);
    const isOdd = (letter: string): boolean => letters.filter((each) => each === letter).length === 1;
    return { feature, fails, values: letters.map((letter) => ({ letter, odd: fails && isOdd(letter) })) };
  });
}

/** Badges for the cards. */
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
