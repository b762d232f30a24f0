// The pace of a game alone, and how its time compares with the personal best.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { difference, paceOf } from '../src/games/set/pace.ts';

const taken = (until: number, name: string): Parameters<typeof paceOf>[0][number] => ({
  cards: [name],
  features: 1,
  reach: [0],
  since: 0,
  until,
  outcome: 'taken',
  player: 0,
  found_ms: 1,
  overlooked: false,
});

test('the pace is the time from one SET to the next, whatever else lay on the table', () => {
  const sets = [taken(9000, 'b'), { ...taken(5000, 'c'), outcome: 'broken' as const }, taken(4000, 'a')];
  assert.deepEqual(paceOf(sets), [
    { cards: ['a'], ms: 4000 },
    { cards: ['b'], ms: 5000 },
  ]);
});

test('a best is compared with the best before it, and any other game with the best', () => {
  assert.equal(difference(null, 'g1', 5000), null);
  assert.deepEqual(difference({ value: 5000, game: 'g1', before: null }, 'g1', 5000), { ms: null, isBest: true });
  assert.deepEqual(difference({ value: 5000, game: 'g1', before: 7000 }, 'g1', 5000), { ms: -2000, isBest: true });
  assert.deepEqual(difference({ value: 5000, game: 'g1', before: 7000 }, 'g2', 8000), { ms: 3000, isBest: false });
});
