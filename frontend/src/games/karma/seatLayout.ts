// Places the other players around the table, seen from the viewer's seat at the bottom. Clockwise goes up the left
// side.

export interface SeatPlace {
  index: number;
  /** Lines of the wide table's grid: one column at each side, COLUMNS between them; one row at the top, ROWS below. */
  column: string;
  row: string;
  /** Where the seat stands at a wide table. */
  side: Side;
}

export type Side = 'left' | 'top' | 'right';

/** Each number of seats on a side divides these evenly. */
export const COLUMNS = 60;
export const ROWS = 12;

/** Seats on the left, at the top and on the right of a wide table, by the number of players besides the viewer. */
const SIDES: readonly (readonly [number, number, number])[] = [
  [0, 0, 0],
  [0, 1, 0],
  [1, 0, 1],
  [1, 1, 1],
  [1, 2, 1],
  [1, 3, 1],
  [1, 4, 1],
  [2, 3, 2],
  [2, 4, 2],
  [2, 5, 2],
  [3, 4, 3],
  [3, 5, 3],
  [3, 6, 3],
];
/** Columns of an upright table, by the number of players besides the viewer. */
const UPRIGHT_COLUMNS = [1, 1, 2, 3, 4, 3, 3, 4, 4, 4, 4, 4, 4];

/** The players besides the viewer, in the order of play; a spectator, who has no seat, sees all. */
export function seatLayout(seats: number, own: number | null): SeatPlace[] {
  const count = own === null ? seats : seats - 1;
  const [left, top, right] = SIDES[count] ?? [3, 6, 3];
  const first = own === null ? 0 : own + 1;
  return Array.from({ length: count }, (_, i) => {
    const index = (first + i) % seats;
    if (i < left) return { index, column: '1', row: span(2, ROWS, left, left - 1 - i), side: 'left' };
    if (i < left + top) return { index, column: span(2, COLUMNS, top, i - left), row: '1', side: 'top' };
    return { index, column: String(COLUMNS + 2), row: span(2, ROWS, right, i - left - top), side: 'right' };
  });
}

function span(start: number, lines: number, parts: number, at: number): string {
  const size = lines / parts;
  return `${start + at * size} / span ${size}`;
}

/** Are there more players than have room for a bubble at their seats? */
export function isCrowded(others: number): boolean {
  return others > 6;
}

export function uprightColumns(others: number): number {
  return UPRIGHT_COLUMNS[others] ?? 4;
}
