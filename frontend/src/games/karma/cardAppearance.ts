// How a card is drawn and named: printed cards from the catalogue, designed cards from their design.

import type { Json } from '../../lib/texts.ts';

export interface CardAppearance {
  /** The full name. */
  name: string;
  /** A name that fits on the card. */
  short: string;
  picture: string | null;
  /** Its effect on the pile as a sign: ↗ leaves the pile, 0 counts as zero, 1–5 is the range it asks for. */
  mark: string;
}

export interface CardDesign {
  name: string;
  picture: string;
  leaves: boolean;
  powers: { [name: string]: Json }[];
}

const MARKS: { [card: string]: string } = {
  GIV: '↗',
  TAB: '0',
  BOT: '⤒',
  LOW: '1–5',
  OWN: '↗',
  EXC: '↗',
  SEA: '↗',
  CLR: '↗',
  LOS: '0',
  '711': '7–11',
  PAS: '↗',
  ONE: '0',
};

export function markOf(card: string, design: CardDesign | null): string {
  if (design === null) return MARKS[card] ?? '';
  if (design.leaves) return '↗';
  const asks = design.powers.find((each) => each['power'] === 'ask_for');
  return asks ? `${asks['low'] as number}–${asks['high'] as number}` : '0';
}
