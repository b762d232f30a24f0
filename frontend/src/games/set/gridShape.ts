// How cards share a rectangle: in threes, as rows on upright screens and as columns on wide ones.

export interface GridShape {
  /** Three cards per column; otherwise three per row. */
  across: boolean;
  /** The cards stand: they are higher than wide, and so is their drawing. */
  standing: boolean;
  columns: number;
  rows: number;
}

/** A board is wide from this ratio of width to height on; on an upright screen it must be wider. */
const WIDE = 1;
const WIDE_UPRIGHT = 1.25;
/** Below this ratio of width to height, a place in a row of three is for a standing card. */
const LYING_IN_ROWS = 1.3;
/** The same for a place in a column of three. */
const LYING_IN_COLUMNS = 0.85;

export interface Box {
  width: number;
  height: number;
}

/** The shape of a grid of threes in a box; `rowsOnly` keeps three cards per row. */
export function shapeOf(threes: number, { width, height }: Box, screen: Box, rowsOnly: boolean): GridShape {
  const across = !rowsOnly && width > (screen.width > screen.height ? WIDE : WIDE_UPRIGHT) * height;
  const [columns, rows] = across ? [threes, 3] : [3, threes];
  const ratio = width / columns / (height / rows);
  return { across, standing: ratio < (across ? LYING_IN_COLUMNS : LYING_IN_ROWS), columns, rows };
}

/** Row and column of a place, counted from 1; places count from 0. */
export function spotOf({ across }: Pick<GridShape, 'across'>, place: number): { row: number; column: number } {
  const [three, within] = [Math.floor(place / 3) + 1, (place % 3) + 1];
  return across ? { row: within, column: three } : { row: three, column: within };
}

/** The place one step away; null outside the grid. */
export function neighbour(shape: GridShape, place: number, down: number, right: number): number | null {
  const { row, column } = spotOf(shape, place);
  const [r, c] = [row + down, column + right];
  if (r < 1 || c < 1 || r > shape.rows || c > shape.columns) return null;
  return shape.across ? (c - 1) * 3 + r - 1 : (r - 1) * 3 + c - 1;
}
