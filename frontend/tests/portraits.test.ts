// Portraits are the same for the same name, and every bot has one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FACES } from '../src/generated/games.ts';
import { botLayers, personLayers } from '../src/lib/portraits.ts';

test('the same name has the same face, however it is written', () => {
  assert.deepEqual(personLayers('Mia'), personLayers(' mia '));
  assert.deepEqual(personLayers('Zoë'), personLayers('Zoe\u0308'));
});

test('different names have different faces', () => {
  const names = Array.from({ length: 200 }, (_, i) => `Person ${i}`);
  const faces = new Set(names.map((name) => JSON.stringify(personLayers(name))));
  assert.ok(faces.size > 190, `${faces.size} faces`);
});

test("every bot has a face of its own, and one from an earlier version has no character's", () => {
  const names = Object.keys(FACES);
  const faces = new Set(names.map((name) => JSON.stringify(botLayers(name))));
  assert.equal(faces.size, names.length);
  for (const name of names) assert.ok(botLayers(name).length > 3, name);
  assert.deepEqual(botLayers('Hamish'), botLayers('Hamish'));
  const characters = Object.entries(FACES).flatMap(([name, { look }]) => (look === 'plain' ? name : []));
  for (const name of characters) assert.notDeepEqual(botLayers('Hamish'), botLayers(name));
});

test('no layer is empty, whatever the name', () => {
  for (const name of ['Mia', 'Sam', 'x', '名前', '🙂'])
    for (const [path] of personLayers(name)) assert.notEqual(path, '');
});
