// The letters of a card's name by feature. The length of the name says which features the card has.

import { CARD_FEATURES } from '../../generated/set.ts';

export type Feature = (typeof CARD_FEATURES)[keyof typeof CARD_FEATURES][number];

/** The features of some cards of one deck. A card of Mega without a frame has a shorter name. */
export function featuresOf(cards: readonly string[]): readonly Feature[] {
  const longest = Math.max(...cards.map((card) => card.length));
  return (CARD_FEATURES as { readonly [length: number]: readonly Feature[] })[longest] ?? [];
}

/** Feature -> the letter of its value. */
export function lettersOf(card: string): { readonly [feature in Feature]?: string } {
  return Object.fromEntries(featuresOf([card]).map((feature, at) => [feature, card[at]]));
}
