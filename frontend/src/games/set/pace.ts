// The pace of a game alone, from its review, and how its time compares with the personal best.

import type { SetBest, SetReviewed } from '../../generated/set.ts';

/** A SET that was taken, and the time since the one before it. */
export interface Pace {
  cards: readonly string[];
  /** In how many features its cards differ. */
  features: number;
  ms: number;
}

export function paceOf(sets: readonly SetReviewed[]): Pace[] {
  const taken = sets.filter((each) => each.outcome === 'taken').sort((a, b) => a.until - b.until);
  return taken.map((each, i) => ({
    cards: each.cards,
    features: each.features,
    ms: each.until - (taken[i - 1]?.until ?? 0),
  }));
}

export interface Difference {
  ms: number | null;
  isBest: boolean;
  /** The game that it is the difference to. */
  to: string | null;
}

/** The difference to the best time before this game; `ms` is null if there was none. */
export function difference(best: SetBest | null, game: string, took: number): Difference | null {
  if (best === null) return null;
  if (best.game !== game) return { ms: took - best.value, isBest: false, to: best.game };
  return { ms: best.before === null ? null : best.value - best.before, isBest: true, to: best.before_game };
}

/** Round numbers of seconds for the lines of a chart that reaches up to `most` milliseconds: at most four of them. */
export function linesUpTo(most: number): number[] {
  const least = most / 4000;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = ([1, 2, 5, 10].find((each) => each * power >= least) ?? 10) * power;
  const count = Math.floor(most / 1000 / step + 1e-9);
  return Array.from({ length: count }, (_, i) => Number(((i + 1) * step).toPrecision(3)));
}

/** Which of `count` SETs have a number below a chart: all of a few, or every fifth. */
export function numbered(count: number): number[] {
  const all = Array.from({ length: count }, (_, i) => i + 1);
  return count <= 12 ? all : all.filter((each) => each === 1 || each % 5 === 0);
}
