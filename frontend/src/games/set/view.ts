// Types of SET's View and events, and helpers that read cards for display.
// There are no rules here: the View offers every legal move.

import type { Awaited, Ending } from '../karma/view.ts';
import type { Parameters, Text } from '../../lib/texts.ts';

export interface SetView {
  game: 'set';
  viewer: number | null;
  variant: 'full' | 'small_deck' | 'longer_game' | 'solitaire' | 'twenty_twenty';
  options: {
    layout: number;
    call_ms: number;
    cooldown_ms: number;
    agreement_ms: number;
    auto_deal: boolean;
    call: 'first' | 'with take';
  };
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
  /** All variants except 20/20 SET. */
  layout?: (string | null)[];
  taken?: { player: number; cards: string[] }[];
  /** 20/20 SET only. */
  centre?: (string | null)[];
  personal?: (string | null)[][];
  discard_pile?: string[];
  target?: number;
  /** Solitaire only. */
  penalty?: number;
  /** A paused game shows no cards. */
  paused?: true;
}

export interface SetEvent extends Parameters {
  event: string;
}

/** Must a player call before taking? */
export function callsFirst(view: SetView): boolean {
  return view.options.call === 'first' && view.variant !== 'solitaire';
}

/** The sentence for an event. */
export function textOf(event: SetEvent): Text {
  if (event.event === 'call_settled')
    return { key: 'live.event.call_settled', parameters: { player: event.player, n: event['margin_ms'] ?? null } };
  return { key: `set.event.${event.event}`, parameters: event };
}

export const FEATURES = ['number', 'colour', 'shading', 'shape'] as const;
export type Feature = (typeof FEATURES)[number];

export interface Value {
  feature: Feature;
  /** The letter in the card's code. */
  letter: string;
  /** Whether it differs from the other two. */
  odd: boolean;
}

/** For each of three cards: its values in all features in which exactly two cards agree. */
export function failing(cards: readonly string[]): { [card: string]: Value[] } {
  const values: { [card: string]: Value[] } = Object.fromEntries(cards.map((card) => [card, []]));
  FEATURES.forEach((feature, i) => {
    const letters = cards.map((card) => card[i] ?? '');
    if (new Set(letters).size !== 2) return;
    cards.forEach((card, j) => {
      const letter = letters[j] ?? '';
      values[card]?.push({ feature, letter, odd: letters.filter((each) => each === letter).length === 1 });
    });
  });
  return values;
}

/** Number of hands that each player has won in these events. */
export function handsWon(events: readonly SetEvent[], players: number): number[] {
  const won = Array<number>(players).fill(0);
  for (const each of events)
    if (each.event === 'hand_won') won[each.player as number] = (won[each.player as number] ?? 0) + 1;
  return won;
}

/** Minutes and seconds. */
export function formatClock(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Whole seconds until a deadline, at least 0. */
export function secondsTo(deadline: number, now: number): number {
  return Math.max(0, Math.ceil((deadline - now) / 1000));
}
