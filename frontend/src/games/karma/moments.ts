// Which moment an event of Karma is.

import type { KarmaEvent } from '../../generated/karma.ts';
import type { Moment } from '../../lib/moments.ts';

const MOMENT_OF: { readonly [name in KarmaEvent['event']]?: Moment } = {
  face_up_shown: 'reveal',
  cards_played: 'play',
  cards_drawn: 'play',
  cards_swapped: 'play',
  card_flipped: 'flip',
  pile_picked_up: 'pickUp',
  pile_cleared: 'clear',
  pile_given: 'giveAway',
  card_given: 'giveAway',
  hands_passed: 'giveAway',
  hands_exchanged: 'giveAway',
  went_out: 'safe',
};
/** If several events are shown at once, the first of these is heard. */
const FIRST: readonly Moment[] = ['safe', 'clear', 'giveAway', 'pickUp', 'flip', 'play', 'reveal'];

/** The moment of events that are shown together; null if they are silent. */
export function momentOf(...events: readonly KarmaEvent[]): Moment | null {
  const moments = events.map((each) => MOMENT_OF[each.event]);
  return FIRST.find((each) => moments.includes(each)) ?? null;
}
