// Places the other players around the table, seen from the viewer's seat at the bottom. Clockwise goes up the left side.

export interface SeatSides {
  left: number[];
  top: number[];
  right: number[];
}

const UPRIGHT: readonly (readonly [number, number, number])[] = [
  [0, 0, 0],
  [0, 1, 0],
  [0, 2, 0],
  [0, 3, 0],
  [1, 2, 1],
  [1, 3, 1],
  [2, 2, 2],
  [2, 3, 2],
  [3, 2, 3],
  [3, 3, 3],
  [4, 2, 4],
  [4, 3, 4],
];
const WIDE: readonly (readonly [number, number, number])[] = [
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
];

/** Seats by side, each ordered from left to right or from top to bottom. `own` is the seat at the bottom. */
export function seatLayout(seats: number, own: number, wide: boolean): SeatSides {
  const others = Array.from({ length: seats - 1 }, (_, i) => (own + 1 + i) % seats);
  const [left, top, right] = (wide ? WIDE : UPRIGHT)[others.length] ?? [4, 3, 4];
  return {
    left: others.slice(0, left).reverse(),
    top: others.slice(left, left + top),
    right: others.slice(left + top, left + top + right),
  };
}
