// How a card looks and is called: printed ones by the catalogue, designed ones by their makers.

import type { Json } from './texts.ts';

export interface Look {
  /** The whole name. */
  name: string;
  /** A name short enough for the card. */
  short: string;
  picture: string | null;
  /** What it is on the pile, in a sign: ↗ leaves, 0 counts as zero, 1–5 asks for. */
  mark: string;
}

export interface Designed {
  name: string;
  picture: string;
  leaves: boolean;
  powers: { [name: string]: Json }[];
}

const MARKS: { [card: string]: string } = {
  GIV: '↗', TAB: '0', BOT: '⤒', LOW: '1–5', OWN: '↗', EXC: '↗', SEA: '↗', CLR: '↗', LOS: '0', '711': '7–11', PAS: '↗', ONE: '0',
};

export function markOf(card: string, design: Designed | null): string {
  if (design === null) return MARKS[card] ?? '';
  if (design.leaves) return '↗';
  const asks = design.powers.find((each) => each['power'] === 'ask_for');
  return asks ? `${asks['low'] as number}–${asks['high'] as number}` : '0';
}
