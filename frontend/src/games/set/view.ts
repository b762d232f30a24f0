// Helpers that read cards and events of SET for display. There are no rules here: the View offers every legal move.

import type { GameEvent } from '../../generated/games.ts';
import type { PausedSetView, SetView } from '../../generated/set.ts';

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
