// Keys are arranged like the cards in every layout; conflicts are detected.

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  blockOf,
  centreKeys,
  conflicts,
  guessLayout,
  KEY_LAYOUTS,
  layoutKeys,
  personalKeys,
} from '../src/games/set/keyboardLayout.ts';

test('twelve cards use the left of the keyboard, three keys per column', () => {
  assert.deepEqual(layoutKeys(blockOf('qwerty', [], 'en')).slice(0, 12), [...'qazwsxedcrfv']);
});

test('further cards use the next columns of keys', () => {
  assert.deepEqual(layoutKeys(blockOf('qwertz', [], 'en')).slice(12, 18), [...'tgbzhn']);
});

test('every layout has 21 keys, none twice', () => {
  for (const layout of KEY_LAYOUTS) {
    const keys = blockOf(layout, [], 'en');
    assert.equal(new Set(keys).size, 21, layout);
    assert.deepEqual(conflicts(keys), [], layout);
  }
});

test('in 20/20 SET the centre is left, my cards are right', () => {
  const block = blockOf('qwerty', [], 'en');
  assert.deepEqual(centreKeys(block), [...'qweasd']);
  assert.deepEqual(personalKeys(block), [...'tyughjbnm']);
});

test('the layout is guessed from the language; custom keys need all 21', () => {
  assert.equal(guessLayout('de-AT'), 'qwertz');
  assert.equal(guessLayout('fr'), 'azerty');
  assert.equal(guessLayout('en-GB'), 'qwerty');
  const own = [...'abcdefghijklmnopqrstu'];
  assert.deepEqual(blockOf('own', own, 'en'), own);
  assert.deepEqual(blockOf('own', own.slice(1), 'de'), blockOf('qwertz', [], 'en'));
});

test('a key used twice, or for something else, is a conflict', () => {
  assert.deepEqual(conflicts(['a', 'b', 'a', ' ', 'c']), [0, 2, 3]);
});
