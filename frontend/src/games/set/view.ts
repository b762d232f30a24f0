// Helpers that read cards and events of SET for display. There are no rules here: the View offers every legal move.

import type { GameEvent } from '../../generated/games.ts';
import type { PausedSetView, SetView } from '../../generated/set.ts';

/** Cards lie in threes. */
const THREE = 3;

/** The moves that have a button, beside the call. */
export function buttonsOf(view: SetView, called: boolean): readonly string[] {
  return called ? ['give up'] : view.flags.moves;
}

/** Number of hands that each player has won in these events. */
export function handsWon(events: readonly GameEvent[], players: number): number[] {
  const won = Array<number>(players).fill(0);
  for (const each of events) if (each.event === 'hand_won') won[each.player] = (won[each.player] ?? 0) + 1;
  return won;
}

/** The cards that lie in the grid, by place: the layout or the centre, and behind it the previous SET of a chain. */
export function lyingCards(view: SetView): (string | null)[] {
  const lying = view.layout ?? view.centre ?? [];
  const previous = view.previous ?? [];
  if (previous.length === 0) return lying;
  const gap = (THREE - (lying.length % THREE)) % THREE;
  return [...lying, ...Array<null>(gap).fill(null), ...previous];
}

/** A number with a proper minus sign. */
export function signed(n: number): string {
  return String(n).replace('-', '−');
}

/** Whole seconds until a deadline, at least 0. */
export function secondsTo(deadline: number, now: number): number {
  return Math.max(0, Math.ceil((deadline - now) / 1000));
}

/** A View of which a paused game hides the cards and the moves. */
export function openView(view: SetView | PausedSetView): SetView {
  if (!view.paused) return view;
  return {
    ...view,
    paused: null,
    now: 0,
    control: null,
    call_deadline: null,
    may_call_from: [],
    agreed: [],
    agreement_deadline: null,
    next_deal_at: null,
    awaits: [],
    moves: [],
    take: null,
    anytime: [],
  };
}
