// How a card is drawn and named: printed cards from the table of cards and the catalogue, designed cards from their
// design.

import { CARDS, type CardDesign } from '../../generated/karma.ts';

export interface CardAppearance {
  /** The full name. */
  name: string;
  /** A name that fits on the card. */
  short: string;
  picture: string | null;
  /** Its effect on the pile as a sign: ↗ leaves the pile, 0 counts as zero, 1–5 is the range it asks for. */
  mark: string;
}

const PRINTED = new Map(CARDS.map((each) => [each.code, each]));

export function pictureOf(card: string): string | null {
  return PRINTED.get(card)?.picture ?? null;
}

export function markOf(card: string, design: CardDesign | null): string {
  if (design === null) return PRINTED.get(card)?.mark ?? '';
  if (design.leaves) return '↗';
  const asks = design.powers.find((each) => each.power === 'ask_for');
  return asks ? `${asks.low ?? ''}–${asks.high ?? ''}` : '0';
}
