// The rank of a time among everybody's times.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { percentSlower } from '../src/games/set/rank.ts';

test('among many people, a rank says how many percent of the others were slower', () => {
  assert.equal(percentSlower({ count: 413, place: 120 }), 71);
  assert.equal(percentSlower({ count: 10, place: 1 }), 100);
});

test('among few people, and for the slowest, it is the place that counts', () => {
  assert.equal(percentSlower({ count: 9, place: 1 }), null);
  assert.equal(percentSlower({ count: 50, place: 50 }), null);
  assert.equal(percentSlower({ count: 1, place: 1 }), null);
});
