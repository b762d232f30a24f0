// The rank of a time among everybody's times in a puzzle, as a percentage.

import type { PuzzleRanking } from '../../generated/protocol.ts';

/** Among fewer people, a place says more than a percentage. */
const FEW = 10;

/** How many percent of the others were slower; null among few people, and for the slowest. */
export function percentSlower({ count, place }: Pick<PuzzleRanking, 'count' | 'place'>): number | null {
  const percent = Math.floor((100 * (count - place)) / Math.max(1, count - 1));
  return count < FEW || percent === 0 ? null : percent;
}
