// The timeline rebuilds the Views that the server had; delays and jumps are right.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Timeline } from '../src/generated/protocol.ts';
import { formatDuration } from '../src/lib/durations.ts';
import { applyChange, ReplayTimeline, frameDelay, type Marks } from '../src/lib/replayTimeline.ts';
import { checkCommitment } from '../src/lib/commitment.ts';
import { fixture } from './fixtures.ts';

/** The jump targets of a game; its kit cannot be loaded here, because it loads components. */
function marksOf(game: string): Marks {
  return game === 'set'
    ? { taken: ['set_taken'], laid: ['cards_laid'] }
    : { clear: ['pile_cleared'], out: ['went_out'] };
}

interface Replayed {
  game: string;
  timeline: Timeline;
  views: { [name: string]: unknown }[];
}
const replays = fixture<Replayed[]>('replays');

test('every frame of every edition and variant is the View that the server had', () => {
  assert.ok(replays.length >= 10);
  for (const { game, timeline: sent, views } of replays) {
    const timeline = new ReplayTimeline(sent, marksOf(game));
    assert.equal(timeline.length, views.length - 1);
    views.forEach((view, i) => assert.deepEqual(timeline.view(i), view));
    assert.deepEqual(timeline.view(3), views[3], 'also when going back');
  }
});

test('unchanged parts are shared', () => {
  const before = { a: { b: [1, 2] }, c: { d: 1 } };
  const after = applyChange(before, ['in', { a: ['in', { b: ['keep', 1, [3]] }] }]) as typeof before;
  assert.deepEqual(after, { a: { b: [1, 3] }, c: { d: 1 } });
  assert.equal(after.c, before.c);
  assert.deepEqual(before.a.b, [1, 2]);
  assert.deepEqual(applyChange({ a: 1, b: 2 }, ['in', { a: ['gone'] }]), { b: 2 });
  assert.equal(applyChange(before, null), before);
});

test('jumps go to the next and the last frame with a mark, and not beyond the ends', () => {
  for (const { game, timeline: sent } of replays) {
    const timeline = new ReplayTimeline(sent, marksOf(game));
    for (const mark of timeline.marks) {
      const first = timeline.find(mark, 0, 1);
      assert.ok(first !== null && timeline.marksOf(first).includes(mark));
      assert.equal(timeline.find(mark, first, -1), null);
      const last = timeline.find(mark, timeline.length + 1, -1);
      assert.ok(last !== null && last >= first);
      assert.equal(timeline.find(mark, last, 1), null);
    }
  }
});

test('true time uses the delays of the game, divided by the speed', () => {
  const replay = replays.find((each) => each.game === 'set');
  assert.ok(replay);
  const timeline = new ReplayTimeline(replay.timeline, marksOf('set'));
  assert.equal(frameDelay(timeline, 0, 1, true), timeline.time(1));
  assert.equal(frameDelay(timeline, 0, 4, true), timeline.time(1) / 4);
  assert.ok(frameDelay(timeline, 0, 8, false) < frameDelay(timeline, 0, 0.5, false));
});

test('durations are formatted', () => {
  assert.equal(formatDuration(420), '0.4 s');
  assert.equal(formatDuration(61_000), '1:01');
  assert.equal(formatDuration(3_729_000), '1:02:09');
});

test('the hash of a seed is checked in the browser', async () => {
  const right = 'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  assert.equal(await checkCommitment('abc', right), 'right');
  assert.equal(await checkCommitment('abd', right), 'wrong');
});
