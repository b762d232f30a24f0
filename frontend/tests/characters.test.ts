// Bots as people know them: who comes to a table, and how strong they are.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHARACTERS, LEVELS } from '../src/generated/characters.ts';
import { FACES } from '../src/generated/games.ts';
import { castFor, castOf, strengthOf, togglePick } from '../src/lib/characters.ts';

const karma = castOf('karma');
const names = karma.map(({ name }) => name);

test('every character has a face and a strength', () => {
  for (const [game, cast] of Object.entries(CHARACTERS)) {
    for (const { name, level } of cast) {
      assert.ok(FACES[name], name);
      assert.ok(strengthOf(game, level), name);
    }
  }
});

test('strength counts from the weakest level up, and unknown levels have none', () => {
  for (const [game, levels] of Object.entries(LEVELS)) {
    levels.forEach((level, i) => assert.deepEqual(strengthOf(game, level), { n: i + 1, most: levels.length }));
  }
  assert.equal(strengthOf('karma', 'random'), null);
  assert.equal(strengthOf('war', 'any'), null);
});

test('more bots bring characters that are not at the table, the nearest in strength first', () => {
  assert.deepEqual(castFor('karma', karma, ['Otto'], 1), ['Otto']);
  assert.deepEqual(castFor('karma', karma, ['Otto'], 3), ['Otto', 'Greta', 'Bruno']);
  assert.deepEqual(castFor('karma', karma, ['Fenn', 'Bruno'], 3), ['Fenn', 'Bruno', 'Milo']);
  assert.deepEqual([...castFor('karma', karma, ['Vera'], 99)].sort(), [...names].sort());
});

test('fewer bots leave the last ones out', () => {
  assert.deepEqual(castFor('karma', karma, ['Otto', 'Fenn', 'Bruno'], 2), ['Otto', 'Fenn']);
  assert.deepEqual(castFor('karma', karma, ['Otto'], 0), []);
});

test('a level of an earlier version stands for its character, and unknown names for nobody', () => {
  assert.deepEqual(castFor('set', castOf('set'), ['human2'], 2), ['Tilda', 'Selma']);
  assert.deepEqual(castFor('set', castOf('set'), ['perfect'], 1), ['Selma']);
  assert.deepEqual(castFor('karma', karma, ['careful', 'careful'], 1), ['Otto']);
});

test('a game without characters offers its bots', () => {
  const cast = castOf('war', ['any']);
  assert.deepEqual(cast, [{ name: 'any', level: 'any' }]);
  assert.deepEqual(castFor('war', cast, ['none'], 1), ['any']);
});

test('a pick comes and goes, and at a full table the first one makes room', () => {
  assert.deepEqual(togglePick(['Otto'], 'Fenn', 3), ['Otto', 'Fenn']);
  assert.deepEqual(togglePick(['Otto', 'Fenn'], 'Otto', 3), ['Fenn']);
  assert.deepEqual(togglePick(['Otto', 'Fenn'], 'Bruno', 2), ['Fenn', 'Bruno']);
});
