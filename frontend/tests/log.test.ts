// The log in paragraphs, and the order in which the players of Karma finished.

import assert from 'node:assert/strict';
import test from 'node:test';
import type { Ending, GameEvent } from '../src/generated/games.ts';
import { finishingOrder } from '../src/games/karma/statistics.ts';
import { paragraphsOf } from '../src/lib/logParagraphs.ts';

const turn = (player: number): GameEvent => ({ event: 'turn_began', player, seat: player, again: false });
const out = (player: number): GameEvent => ({ event: 'went_out', player });
const back = (player: number): GameEvent => ({ event: 'brought_back', player });
const starts = (event: GameEvent): boolean => event.event === 'turn_began';

function shape(events: readonly GameEvent[]): (number | null | number[])[][] {
  const lines = events.map((event, id) => ({ id, game: 1, event }));
  return paragraphsOf(lines, starts).map(({ heading, below }) => [heading?.id ?? null, below.map((each) => each.id)]);
}

test('a heading and the lines after it are a paragraph', () => {
  assert.deepEqual(shape([out(0), turn(0), out(1), out(2), turn(1)]), [
    [null, [0]],
    [1, [2, 3]],
    [4, []],
  ]);
});

test('without headings every line is a paragraph', () => {
  assert.deepEqual(shape([out(0), out(1)]), [
    [null, [0]],
    [null, [1]],
  ]);
  assert.deepEqual(shape([]), []);
});

test('the finishing order is that of going out, and who is brought back begins again', () => {
  const ending: Ending = { reason: 'one_left', winners: [0, 1, 2], losers: [3], scores: null };
  assert.deepEqual(finishingOrder([out(2), out(0), back(2), out(1), out(2)], ending), [0, 1, 2, 3]);
  assert.equal(finishingOrder([out(0)], ending), null, 'events are missing');
  assert.equal(finishingOrder([], { ...ending, winners: [], losers: [] }), null, 'nobody lost');
});
