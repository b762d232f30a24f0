// The View of a SET table and its events, as the server tells them, and what the page reads off cards to show it.
// No rules here: what may be done is what the View offers.

import type { Awaited, Ending } from './karma.ts';
import type { Parameters, Text } from './texts.ts';

export interface SetView {
  game: 'set';
  viewer: number | null;
  variant: 'full' | 'small_deck' | 'longer_game' | 'solitaire' | 'twenty_twenty';
  options: { layout: number; call_ms: number; cooldown_ms: number; agreement_ms: number; auto_deal: boolean; call: 'first' | 'with take' };
  players: number;
  dealer: number;
  deal: number;
  now: number;
  deck_size: number;
  scores: number[];
  sets: number[];
  points_lost: number[];
  control: number | null;
  call_deadline: number | null;
  may_call_from: number[];
  agreed: number[];
  agreement_deadline: number | null;
  next_deal_at: number | null;
  away: number[];
  left: number[];
  awaits: Awaited[];
  moves: string[];
  take: { from: string[]; not_before?: number } | null;
  anytime: string[];
  ending: Ending | null;
  /** All but 20/20 SET. */
  layout?: (string | null)[];
  taken?: { player: number; cards: string[] }[];
  /** 20/20 SET. */
  centre?: (string | null)[];
  personal?: (string | null)[][];
  discard_pile?: string[];
  target?: number;
  /** Solitaire. */
  penalty?: number;
  /** A paused game shows no cards. */
  paused?: true;
}

export interface SetEvent extends Parameters {
  event: string;
}

/** Whether somebody must call before taking. */
export function callsFirst(view: SetView): boolean {
  return view.options.call === 'first' && view.variant !== 'solitaire';
}

/** The sentence for an event. */
export function textOf(event: SetEvent): Text {
  if (event.event === 'call_settled') return { key: 'live.event.call_settled', parameters: { player: event.player, n: event['margin_ms'] ?? null } };
  return { key: `set.event.${event.event}`, parameters: event };
}

export const FEATURES = ['number', 'colour', 'shading', 'shape'] as const;
export type Feature = (typeof FEATURES)[number];

export interface Value {
  feature: Feature;
  /** The letter of the card's name. */
  letter: string;
  /** Whether it differs from the other two. */
  odd: boolean;
}

/** What is wrong with three cards, on each of them: the values of every feature in which two agree and one does not. */
export function failing(cards: readonly string[]): { [card: string]: Value[] } {
  const found: { [card: string]: Value[] } = Object.fromEntries(cards.map((card) => [card, []]));
  FEATURES.forEach((feature, i) => {
    const letters = cards.map((card) => card[i] ?? '');
    if (new Set(letters).size !== 2) return;
    cards.forEach((card, j) => {
      const letter = letters[j] ?? '';
      found[card]?.push({ feature, letter, odd: letters.filter((each) => each === letter).length === 1 });
    });
  });
  return found;
}

/** How many hands each player has won, of those that were told. */
export function handsWon(events: readonly SetEvent[], players: number): number[] {
  const won = Array<number>(players).fill(0);
  for (const each of events) if (each.event === 'hand_won') won[each.player as number] = (won[each.player as number] ?? 0) + 1;
  return won;
}

/** Minutes and seconds. */
export function clock(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Seconds until something, never less than none. */
export function secondsTo(deadline: number, now: number): number {
  return Math.max(0, Math.ceil((deadline - now) / 1000));
}

