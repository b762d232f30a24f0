import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faceUpMove, grouped, offerOf, playMove, type Offer } from '../src/games/karma/view.ts';
import type { KarmaView } from '../src/generated/karma.ts';
import { biggestPile, factsOf, turnsOut } from '../src/games/karma/statistics.ts';
import { seatLayout } from '../src/games/karma/seatLayout.ts';
import { fixture } from './fixtures.ts';

const VIEW = {
  viewer: 0,
  awaits: [{ player: 0, question: 'play' }],
  moves: [
    'play 7',
    'play 7 7',
    'play GIV',
    'flip 2',
    'pick up',
    'choose 3',
    'give 7',
    'give face down 1',
    'swap 7 12',
    'swap 7 GIV',
  ],
} as unknown as KarmaView;

test('offered moves are grouped by kind', () => {
  const offer = offerOf(VIEW);
  assert.ok(offer);
  assert.deepEqual(
    [...offer.play],
    [
      ['7', [1, 2]],
      ['GIV', [1]],
    ],
  );
  assert.deepEqual(offer.flip, [2]);
  assert.deepEqual(offer.choose, [3]);
  assert.deepEqual(offer.give, ['7']);
  assert.deepEqual(offer.giveFaceDown, [1]);
  assert.deepEqual([...offer.swap], [['7', ['12', 'GIV']]]);
  assert.equal(offer.pickUp, true);
  assert.equal(offer.decline, false);
});

test('a player who is not awaited gets no offer', () => {
  assert.equal(offerOf({ ...VIEW, viewer: 1 }), null);
  assert.equal(offerOf({ ...VIEW, viewer: null }), null);
});

/** Every answer of an offer in the notation, as the table sends it. */
function movesOf(offer: Offer): (string | null)[] {
  return [
    ...[...offer.play].flatMap(([card, counts]) => counts.map((count) => playMove(card, count))),
    ...[...offer.swap].flatMap(([up, hands]) => hands.map((hand) => `swap ${up} ${hand}`)),
    ...offer.flip.map((place) => `flip ${place}`),
    ...offer.give.map((card) => `give ${card}`),
    ...offer.giveFaceDown.map((place) => `give face down ${place}`),
    ...offer.peek.map((place) => `peek ${place}`),
    ...offer.choose.map((player) => `choose ${player}`),
    ...offer.faceUp.map((cards) => faceUpMove(offer, cards)),
    ...(offer.pickUp ? ['pick up'] : []),
    ...(offer.decline ? ['decline'] : []),
    ...(offer.draw ? ['draw'] : []),
    ...(offer.endTurn ? ['end turn'] : []),
  ];
}

test('the page offers exactly the moves of the View, in whole games of every edition', () => {
  let offers = 0;
  for (const game of fixture<{ steps: { view: KarmaView }[] }[]>('games')) {
    for (const { view } of game.steps) {
      const offer = offerOf(view);
      const awaited = view.awaits.some((each) => each.player === view.viewer);
      assert.equal(offer !== null, awaited && view.moves.length > 0);
      if (offer === null) continue;
      assert.deepEqual(movesOf(offer).sort(), [...view.moves].sort());
      offers += 1;
    }
  }
  assert.ok(offers > 200);
});

test('moves are written in the notation', () => {
  assert.equal(playMove('7', 2), 'play 7 7');
  const offer = offerOf({ ...VIEW, moves: ['face up 4 10 GIV'] });
  assert.ok(offer);
  assert.equal(faceUpMove(offer, ['GIV', '4', '10']), 'face up 4 10 GIV');
  assert.equal(faceUpMove(offer, ['4', '4', '10']), null);
});

test('cards are grouped', () => {
  assert.deepEqual(grouped(['7', '7', 'GIV']), [
    { card: '7', count: 2 },
    { card: 'GIV', count: 1 },
  ]);
});

test('every player has a seat around the table, in order, for every viewer', () => {
  for (let seats = 2; seats <= 12; seats++) {
    for (let own = 0; own < seats; own++) {
      assert.deepEqual(
        seatLayout(seats, own).map((each) => each.index),
        Array.from({ length: seats - 1 }, (_, i) => (own + 1 + i) % seats),
      );
    }
    const all = seatLayout(seats, null);
    assert.equal(all.length, seats);
    assert.equal(new Set(all.map((each) => `${each.column} ${each.row}`)).size, seats, 'no two share a place');
  }
});

test('the facts of a game are counted from its events', () => {
  const events: Parameters<typeof factsOf>[0] = [
    { event: 'turn_began', player: 0, seat: 0, again: false },
    { event: 'pile_picked_up', player: 1, seat: 1, cards: ['1', '2', '3'] },
    { event: 'pile_given', player: 0, to: 2, seat: 2, cards: ['1', '2', '3', '4'] },
    { event: 'pile_cleared', player: 0, why: 'run', cards: ['7', '7', '7'] },
    { event: 'brought_back', player: 2 },
  ];
  const facts = factsOf(events);
  assert.deepEqual(biggestPile(events), { player: 2, giver: 0, cards: ['1', '2', '3', '4'], turn: 1 });
  assert.deepEqual(facts.mostClears, { players: [0], clears: 1 });
  assert.deepEqual(facts.cameBack, [2]);
  assert.equal(facts.turns, 1);
});

test('a player who is brought back is not safe on that turn', () => {
  const turn = { event: 'turn_began', player: 0, seat: 0, again: false } as const;
  const events: Parameters<typeof turnsOut>[0] = [
    turn,
    { event: 'went_out', player: 0 },
    turn,
    { event: 'went_out', player: 1 },
    { event: 'brought_back', player: 0 },
  ];
  assert.deepEqual([...turnsOut(events)], [[1, 2]]);
  assert.equal(biggestPile(events), null);
});
