// The pace of a game alone, from its review, and how its time compares with the personal best.

import type { SetBest, SetReviewed } from '../../generated/set.ts';

/** A SET that was taken, and the time since the one before it. */
export interface Pace {
  cards: readonly string[];
  ms: number;
}

export function paceOf(sets: readonly SetReviewed[]): Pace[] {
  const taken = sets.filter((each) => each.outcome === 'taken').sort((a, b) => a.until - b.until);
  return taken.map((each, i) => ({ cards: each.cards, ms: each.until - (taken[i - 1]?.until ?? 0) }));
}

/** The difference to the best time before this game; `ms` is null if there was none. */
export function difference(
  best: SetBest | null,
  game: string,
  took: number,
): { ms: number | null; isBest: boolean } | null {
  if (best === null) return null;
  if (best.game !== game) return { ms: took - best.value, isBest: false };
  return { ms: best.before === null ? null : best.value - best.before, isBest: true };
}
