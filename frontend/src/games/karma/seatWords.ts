// A seat in words, for those who do not see it.

import type { SeatView } from '../../generated/karma.ts';
import { t } from '../../lib/i18n.svelte.ts';
import type { CardAppearance } from './cardAppearance.ts';
import { grouped } from './view.ts';

export interface SeatStatus {
  turn: boolean;
  out: boolean;
  /** Turns to lose. */
  lost: number;
  /** Absence in words; empty for a player who is here. */
  away: string;
  /** Has chosen the face-up cards while others still choose. */
  chose: boolean;
  agreed: boolean;
  /** What the player does now. */
  deed: string;
}

/** Everything that a seat shows. */
export function seatInWords(
  seat: SeatView,
  name: string,
  status: SeatStatus,
  appearanceOf: (card: string) => CardAppearance,
  known: readonly string[] = [],
): string {
  const up = seat.face_up.filter((each) => each !== null).map((each) => appearanceOf(each).name);
  const inWords = (cards: readonly string[]): string =>
    grouped(cards)
      .map(({ card, count }) =>
        count > 1 ? t('page.hand.many', { name: appearanceOf(card).name, n: count }) : appearanceOf(card).name,
      )
      .join(', ');
  const held = inWords(seat.hand ?? []);
  return [
    name,
    status.turn && status.away === '' ? t('page.seat.turn') : '',
    status.out ? t('page.seat.out') : t('page.seat.hand', { n: seat.hand_size }),
    up.length > 0 ? t('page.seat.face_up', { list: up.join(', ') }) : '',
    held ? t('page.seat.holds', { list: held }) : '',
    known.length > 0 ? t('page.seat.known', { list: inWords(known) }) : '',
    t('page.seat.face_down', { n: seat.face_down.filter((each) => each !== null).length }),
    status.lost > 0 ? t('page.seat.loses', { n: status.lost }) : '',
    status.away,
  ]
    .filter(Boolean)
    .join(', ');
}
