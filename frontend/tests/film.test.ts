// A replay's frames become the Views again that the server had; times and jumps are found.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Frames } from '../src/generated/protocol.ts';
import { seconds } from '../src/lib/durations.ts';
import { changed, Film, waitFor } from '../src/lib/film.ts';
import { hashMatches } from '../src/lib/shuffle.ts';
import { fixture } from './fixtures.ts';

interface Replayed {
  game: string;
  frames: Frames;
  views: { [name: string]: unknown }[];
}
const replays = fixture<Replayed[]>('replays');

test('every frame of every edition and variant is the View that the server had', () => {
  assert.ok(replays.length >= 10);
  for (const { game, frames, views } of replays) {
    const film = new Film<{ [name: string]: unknown }>(game, frames);
    assert.equal(film.length, views.length - 1);
    views.forEach((view, i) => assert.deepEqual(film.view(i), view));
    assert.deepEqual(film.view(3), views[3], 'also when going back');
  }
});

test('what has not changed is shared', () => {
  const before = { a: { b: [1, 2] }, c: { d: 1 } };
  const after = changed(before, ['in', { a: ['in', { b: ['keep', 1, [3]] }] }]) as typeof before;
  assert.deepEqual(after, { a: { b: [1, 3] }, c: { d: 1 } });
  assert.equal(after.c, before.c);
  assert.deepEqual(before.a.b, [1, 2]);
  assert.deepEqual(changed({ a: 1, b: 2 }, ['in', { a: ['gone'] }]), { b: 2 });
  assert.equal(changed(before, null), before);
});

test('jumps find the next and the last of a kind, and nothing beyond the ends', () => {
  for (const { game, frames } of replays) {
    const film = new Film(game, frames);
    for (const mark of film.marks) {
      const first = film.find(mark, 0, 1);
      assert.ok(first !== null && film.marksOf(first).includes(mark));
      assert.equal(film.find(mark, first, -1), null);
      const last = film.find(mark, film.length + 1, -1);
      assert.ok(last !== null && last >= first);
      assert.equal(film.find(mark, last, 1), null);
    }
  }
});

test('true time waits as long as people did, and faster where that is asked', () => {
  const found = replays.find((each) => each.game === 'set');
  assert.ok(found);
  const film = new Film('set', found.frames);
  assert.equal(waitFor(film, 0, 1, true), film.time(1));
  assert.equal(waitFor(film, 0, 4, true), film.time(1) / 4);
  assert.ok(waitFor(film, 0, 8, false) < waitFor(film, 0, 0.5, false));
});

test('times read as people write them', () => {
  assert.equal(seconds(420), '0.4 s');
  assert.equal(seconds(61_000), '1:01');
  assert.equal(seconds(3_729_000), '1:02:09');
});

test('the hash of a seed is worked out here, and a wrong one is found', async () => {
  const right = 'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  assert.equal(await hashMatches('abc', right), 'right');
  assert.equal(await hashMatches('abd', right), 'wrong');
});
