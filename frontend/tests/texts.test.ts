// The page formats every sentence like Python does.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { formatText, type Catalogue, type Text } from '../src/lib/texts.ts';
import { fixture, TEXTS } from './fixtures.ts';

const NAMES = { players: ['Ada', 'Ben', 'Cleo', 'Dov'], cards: { D1: 'Scout' } };

function catalogue(language: string): Catalogue {
  const folder = new URL(`${language}/`, TEXTS);
  const parts = readdirSync(folder).map(
    (part) => JSON.parse(readFileSync(new URL(part, folder), 'utf-8')) as Catalogue,
  );
  return Object.assign({}, ...parts) as Catalogue;
}

test('every sentence of every language is formatted like in Python', () => {
  const said = fixture<{ language: string; text: Text; says: string }[]>('sentences');
  const catalogues = new Map<string, Catalogue>();
  for (const { language, text, says } of said) {
    if (!catalogues.has(language)) catalogues.set(language, catalogue(language));
    assert.equal(
      formatText(text, catalogues.get(language) ?? {}, language, 0, NAMES),
      says,
      `${language}: ${JSON.stringify(text)}`,
    );
  }
  assert.ok(said.length > 500);
});

test('a missing key is shown as itself', () => {
  assert.equal(formatText({ key: 'no.such.key' }, {}, 'en'), 'no.such.key');
});
