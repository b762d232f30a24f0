// Where a bubble of the row between seats and piles stands: under the seat of who speaks.

import { isCrowded, uprightColumns, type SeatPlace } from './seatLayout.ts';

export interface Speech {
  name: string;
  words: string;
  /** Does the speaker sit at the table, other than the viewer? */
  seated: boolean;
  /** At a wide table the bubble is at the seat instead. */
  atSeat: boolean;
  /** Is the name needed, because the tail does not tell who speaks? */
  named: boolean;
  /** Columns of the row of seats, and whether the bubble is at their end. */
  columns: string;
  atEnd: boolean;
}

/** `places` are the seats around the viewer; `at` is the speaker's among them, -1 for anybody else. */
export function speechAt(places: readonly SeatPlace[], at: number, name: string, words: string): Speech {
  const columns = uprightColumns(places.length);
  const column = Math.max(0, at) % columns;
  const atEnd = at >= 0 && column >= columns / 2;
  return {
    name,
    words,
    seated: at >= 0,
    atSeat: at >= 0 && !isCrowded(places.length),
    named: at < 0 || places.length > columns,
    columns: atEnd ? `1 / ${column + 2}` : `${column + 1} / -1`,
    atEnd,
  };
}
