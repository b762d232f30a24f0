// Computes the puzzle standing on this device like the server does, and the row of squares for sharing a result.

import type { PuzzleStanding } from '../../generated/protocol.ts';
import { addDays } from '../../lib/times.ts';

const GRACE_MS = 3_600_000;

/** Streaks, best and median time. A day counts for the streak if it was solved on that day. */
export function computeStanding(
  solved: readonly { day: string; began: number; ms: number }[],
  today: string,
): PuzzleStanding {
  const onTime = new Set(
    solved
      .filter((each) => each.began + each.ms - GRACE_MS < Date.parse(`${addDays(each.day, 1)}T00:00:00Z`))
      .map((each) => each.day),
  );
  const upTo = (last: string): number => {
    let count = 0;
    while (onTime.has(addDays(last, -count))) count += 1;
    return count;
  };
  const times = solved.map((each) => each.ms).sort((a, b) => a - b);
  const middle = times.length / 2;
  return {
    days: Object.fromEntries(solved.map((each) => [each.day, each.ms])),
    streak: upTo(today) || upTo(addDays(today, -1)),
    longest: Math.max(0, ...[...onTime].map(upTo)),
    best_ms: times[0] ?? null,
    median_ms:
      times.length === 0
        ? null
        : Math.round(((times[Math.ceil(middle) - 1] ?? 0) + (times[Math.floor(middle)] ?? 0)) / 2),
  };
}

/** One square per SET in the order of finding: amber after a wrong try, otherwise green. Reveals no card. */
export function resultSquares(misses: readonly number[]): string {
  return misses.map((each) => (each > 0 ? '🟨' : '🟩')).join('');
}
