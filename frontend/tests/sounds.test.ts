// Moments: which event is which, what stays silent, what counts once; and the sounds themselves, measured.

import assert from 'node:assert/strict';
import test from 'node:test';
import { momentOf as karmaMoment } from '../src/games/karma/moments.ts';
import { momentOf as setMoment } from '../src/games/set/moments.ts';
import type { KarmaEvent } from '../src/generated/karma.ts';
import type { SetEvent } from '../src/generated/set.ts';
import { LATE_MS, MomentPlayer, MOMENTS, TOGETHER_MS, VOLUMES, gainOf, type Volume } from '../src/lib/moments.ts';
import { RATE, render } from '../src/lib/synthesiser.ts';

function setUp() {
  const state = { volume: 'normal' as Volume, vibrates: true, touched: true, hidden: false, now: 0, fails: false };
  const heard: [string, number][] = [];
  const felt: (readonly number[])[] = [];
  let loads = 0;
  const player = new MomentPlayer({
    volume: () => state.volume,
    vibrates: () => state.vibrates,
    touched: () => state.touched,
    hidden: () => state.hidden,
    now: () => state.now,
    vibrate: (pattern) => felt.push(pattern),
    load: () => {
      loads += 1;
      if (state.fails) return Promise.reject(new Error('offline'));
      return Promise.resolve({ play: (name: string, gain: number) => void heard.push([name, gain]) });
    },
  });
  return { state, heard, felt, player, loads: () => loads };
}
const loaded = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a moment is heard at the chosen volume and felt', async () => {
  const { heard, felt, player, state } = setUp();
  player.play('mySet');
  await loaded();
  state.volume = 'loud';
  player.play('win');
  assert.deepEqual(heard, [['mySet', gainOf('normal')], ['win', gainOf('loud')]]); // prettier-ignore
  assert.equal(felt.length, 2);
});

test('the steps of the volume grow, and off and unasked are silent', () => {
  const gains = VOLUMES.map(gainOf);
  assert.deepEqual(gains, [...gains].sort((a, b) => a - b)); // prettier-ignore
  assert.equal(new Set(gains).size, 4);
  assert.equal(gainOf('off'), 0);
  assert.equal(gainOf('ask'), 0);
});

test('a muted page loads no sounds, but can be felt', async () => {
  for (const volume of ['ask', 'off'] as const) {
    const { heard, felt, player, state, loads } = setUp();
    state.volume = volume;
    player.play('safe');
    await loaded();
    assert.deepEqual([heard.length, felt.length, loads()], [0, 1, 0]);
  }
});

test('without haptics nothing is felt', () => {
  const { felt, player, state } = setUp();
  state.vibrates = false;
  player.play('safe');
  assert.equal(felt.length, 0);
});

test('before the first tap there is neither sound nor vibration', async () => {
  const { heard, felt, player, state, loads } = setUp();
  state.touched = false;
  player.play('deal');
  player.play('turn');
  await loaded();
  assert.deepEqual([heard.length, felt.length, loads()], [0, 0, 0]);
});

test('a hidden page only calls its player', async () => {
  const { heard, felt, player, state } = setUp();
  state.hidden = true;
  for (const name of MOMENTS) player.play(name);
  await loaded();
  assert.deepEqual(heard.map(([name]) => name), ['turn', 'tick']); // prettier-ignore
  assert.equal(felt.length, 0);
});

test('an event plays its moment once, another event plays it again', async () => {
  const { heard, player, state } = setUp();
  for (const id of [1, 1, 2, 1, 2]) {
    player.play('play', id);
    state.now += TOGETHER_MS;
    await loaded();
  }
  assert.equal(heard.length, 2);
});

test('cards that land together sound once', async () => {
  const { heard, player, state } = setUp();
  player.play('play', 1);
  player.play('play', 2);
  player.play('clear', 3);
  await loaded();
  state.now += TOGETHER_MS;
  player.play('play', 4);
  assert.deepEqual(heard.map(([name]) => name), ['play', 'clear', 'play']); // prettier-ignore
});

test('a sound that is loaded too late is left out, and a failed load is tried again', async () => {
  const { heard, player, state, loads } = setUp();
  state.fails = true;
  player.play('play');
  await loaded();
  state.fails = false;
  player.play('clear');
  state.now += LATE_MS;
  await loaded();
  assert.deepEqual([heard.length, loads()], [0, 2]);
  player.play('play');
  assert.equal(heard.length, 1);
});

test('events of Karma are moments, and the weightiest of several is heard', () => {
  const played: KarmaEvent = { event: 'cards_played', player: 0, seat: 0, from: 'hand', card: '9', count: 1 };
  const cleared: KarmaEvent = { event: 'pile_cleared', player: 0, why: 'run', cards: ['9'] };
  assert.equal(karmaMoment(played), 'play');
  assert.equal(karmaMoment(played, cleared), 'clear');
  assert.equal(karmaMoment(played, cleared, { event: 'went_out', player: 0 }), 'safe');
  assert.equal(karmaMoment({ event: 'card_flipped', player: 0, seat: 0, place: 1, card: '3', fits: false }), 'flip');
  assert.equal(karmaMoment({ event: 'pile_picked_up', player: 1, seat: 1, cards: [] }), 'pickUp');
  assert.equal(karmaMoment({ event: 'pile_given', player: 0, to: 1, seat: 1, cards: [] }), 'giveAway');
  assert.equal(karmaMoment({ event: 'face_up_shown', player: 0, seat: 0, cards: [] }), 'reveal');
  assert.equal(karmaMoment({ event: 'turn_began', player: 0, seat: 0, again: false }), null);
  assert.equal(karmaMoment(), null);
});

test('events of SET are moments: mine differ from those of others', () => {
  const cards = { cards: ['1RSO'], areas: [], places: [1] };
  const taken: SetEvent = { event: 'set_taken', player: 1, points: 1, score: 1, ...cards };
  assert.equal(setMoment(taken, 1), 'mySet');
  assert.equal(setMoment(taken, 0), 'theirSet');
  assert.equal(setMoment(taken, null), 'theirSet');
  assert.equal(setMoment({ event: 'point_lost', player: 1, score: 0 }, 1), 'pointLost');
  assert.equal(setMoment({ event: 'called', player: 1, deadline: null }, 1), 'call');
  assert.equal(setMoment({ event: 'deal_began', deal: 1, player: 0 }, 1), 'deal');
  assert.equal(setMoment({ event: 'agreement_withdrawn' }, 1), null);
});

const sounds = new Map(MOMENTS.map((name) => [name, render(name)]));
const decibels = (share: number): number => 20 * Math.log10(share);
const loudness = (samples: Float32Array): number =>
  Math.sqrt(samples.reduce((sum, each) => sum + each * each, 0) / samples.length);

for (const [name, samples] of sounds) {
  test(`the sound of ${name} is short, quiet, and neither clips nor clicks`, () => {
    const peak = samples.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
    assert.ok(samples.every(Number.isFinite));
    assert.ok(samples.length / RATE <= 1.5, `${samples.length / RATE} s`);
    assert.ok(peak > 0.05 && peak < 0.6, `peak ${peak}`);
    assert.ok(decibels(loudness(samples)) <= -18 && decibels(loudness(samples)) >= -32);
    assert.ok(Math.abs(samples[0] ?? 1) < 0.01 && Math.abs(samples.at(-1) ?? 1) < 0.01);
  });
}

/** Amplitude of every semitone in each quarter of the sound, as one vector of length 1: what is heard, and when. */
function picture(samples: Float32Array): number[] {
  const part = Math.floor(samples.length / 4);
  const cells = [0, 1, 2, 3].flatMap((quarter) =>
    Array.from({ length: 60 }, (_, i) => {
      const turn = (2 * Math.PI * 110 * 2 ** (i / 12)) / RATE;
      let [sine, cosine] = [0, 0];
      samples.subarray(quarter * part, (quarter + 1) * part).forEach((each, at) => {
        sine += each * Math.sin(turn * at);
        cosine += each * Math.cos(turn * at);
      });
      return Math.hypot(sine, cosine);
    }),
  );
  const length = Math.hypot(...cells);
  return cells.map((each) => each / length);
}

test('no two moments sound alike', () => {
  const pictures = [...sounds].map(([name, samples]) => ({ name, cells: picture(samples), length: samples.length }));
  for (const [i, one] of pictures.entries()) {
    for (const other of pictures.slice(i + 1)) {
      const alike = one.cells.reduce((sum, each, k) => sum + each * (other.cells[k] ?? 0), 0);
      const longer = Math.max(one.length, other.length) / Math.min(one.length, other.length);
      assert.ok(alike < 0.9 || longer > 1.5, `${one.name} and ${other.name}: ${alike.toFixed(2)}`);
    }
  }
});
