// Results of daily puzzles counted as the server counts them, for those it does not know; and as a row of signs to share.

import type { PuzzleStanding } from '../generated/protocol.ts';
import { later } from './times.ts';

const GRACE_MS = 3_600_000;

/** Days in a row, the best and the usual time; a day counts for the streak if it was solved on that day. */
export function standing(solved: readonly { day: string; began: number; ms: number }[], today: string): PuzzleStanding {
  const onTime = new Set(solved.filter((each) => each.began + each.ms - GRACE_MS < Date.parse(`${later(each.day, 1)}T00:00:00Z`)).map((each) => each.day));
  const upTo = (last: string): number => {
    let count = 0;
    while (onTime.has(later(last, -count))) count += 1;
    return count;
  };
  const times = solved.map((each) => each.ms).sort((a, b) => a - b);
  const middle = times.length / 2;
  return {
    days: Object.fromEntries(solved.map((each) => [each.day, each.ms])),
    streak: upTo(today) || upTo(later(today, -1)),
    longest: Math.max(0, ...[...onTime].map(upTo)),
    best_ms: times[0] ?? null,
    median_ms: times.length === 0 ? null : Math.round(((times[Math.ceil(middle) - 1] ?? 0) + (times[Math.floor(middle)] ?? 0)) / 2),
  };
}

/** A row of signs for the SETs in the order they were found: the fuller, the more features differ. It gives no card away. */
export function signs(differing: readonly number[]): string {
  return differing.map((each) => '◔◑◕●'[each - 1] ?? '').join('');
}
