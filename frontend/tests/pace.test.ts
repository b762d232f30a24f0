// The pace of a game alone, and how its time compares with the personal best.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { difference, linesUpTo, numbered, paceOf } from '../src/games/set/pace.ts';

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
    { cards: ['a'], features: 1, ms: 4000 },
    { cards: ['b'], features: 1, ms: 5000 },
  ]);
});

test('a best is compared with the best before it, and any other game with the best', () => {
  const best = { value: 5000, game: 'g1', before: 7000, before_game: 'g0' };
  const first = { ...best, before: null, before_game: null };
  assert.equal(difference(null, 'g1', 5000), null);
  assert.deepEqual(difference(first, 'g1', 5000), { ms: null, isBest: true, to: null });
  assert.deepEqual(difference(best, 'g1', 5000), { ms: -2000, isBest: true, to: 'g0' });
  assert.deepEqual(difference(best, 'g2', 8000), { ms: 3000, isBest: false, to: 'g1' });
});

test('a chart has lines at round numbers of seconds', () => {
  assert.deepEqual(linesUpTo(11_860), [5, 10]);
  assert.deepEqual(linesUpTo(8000), [2, 4, 6, 8]);
  assert.deepEqual(linesUpTo(780), [0.2, 0.4, 0.6]);
  assert.deepEqual(linesUpTo(95_000), [50]);
});

test('few SETs are all numbered, and of many every fifth', () => {
  assert.deepEqual(numbered(3), [1, 2, 3]);
  assert.deepEqual(numbered(24), [1, 5, 10, 15, 20]);
});
