// Which moment an event of SET is.

import type { GameEvent } from '../../generated/games.ts';
import type { Moment } from '../../lib/moments.ts';

/** The moment of an event, for the player who sees it; null if it is silent. */
export function momentOf(event: GameEvent, viewer: number | null): Moment | null {
  switch (event.event) {
    case 'deal_began':
      return 'deal';
    case 'cards_laid':
    case 'personal_cards_dealt':
    case 'personal_card_given':
      return 'reveal';
    case 'called':
      return 'call';
    case 'set_taken':
      return event.player === viewer ? 'mySet' : 'theirSet';
    case 'wrong_set':
      return 'refusal';
    case 'point_lost':
    case 'penalty_added':
      return 'pointLost';
    default:
      return null;
  }
}
