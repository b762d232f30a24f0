// Portraits are the same for the same name, and every bot has one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANIMALS } from '../src/generated/games.ts';
import { animalLayers, personLayers } from '../src/lib/portraits.ts';

test('the same name has the same face, however it is written', () => {
  assert.deepEqual(personLayers('Mia'), personLayers(' mia '));
  assert.deepEqual(personLayers('Zoë'), personLayers('Zoe\u0308'));
});

test('different names have different faces', () => {
  const names = Array.from({ length: 200 }, (_, i) => `Person ${i}`);
  const faces = new Set(names.map((name) => JSON.stringify(personLayers(name))));
  assert.ok(faces.size > 190, `${faces.size} faces`);
});

test('every bot is an animal that is drawn', () => {
  for (const animal of Object.values(ANIMALS)) assert.ok(animalLayers(animal).length > 3, animal);
});

test('no layer is empty, whatever the name', () => {
  for (const name of ['Mia', 'Sam', 'x', '名前', '🙂'])
    for (const [path] of personLayers(name)) assert.notEqual(path, '');
});
