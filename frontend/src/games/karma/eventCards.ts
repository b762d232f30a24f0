// The cards that an event shows, for the log and the list of moves.

import type { GameEvent } from '../../generated/games.ts';

/** At most this many cards of one play are drawn. */
const MOST = 3;

export function eventCards(event: GameEvent): string[] {
  if (event.event === 'cards_played') return Array<string>(Math.min(event.count, MOST)).fill(event.card);
  return event.event === 'card_flipped' || event.event === 'bottom_moved_up' ? [event.card] : [];
}
