// The page writes null, numbers and plurals like Python does, and Python's plural rules are those of the browser.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { formatText, type Catalogue, type Text } from '../src/lib/texts.ts';
import { fixture } from './fixtures.ts';

interface Shared {
  catalogues: { [language: string]: Catalogue };
  cases: { language: string; text: Text; says: string }[];
}
const SHARED = JSON.parse(readFileSync(new URL('../../tests/plural_cases.json', import.meta.url), 'utf-8')) as Shared;

test('null, numbers and plurals are written as in Python', () => {
  for (const { language, text, says } of SHARED.cases)
    assert.equal(
      formatText(text, SHARED.catalogues[language] ?? {}, language),
      says,
      JSON.stringify({ language, text }),
    );
});

test('the plural rules of Python are those of the CLDR', () => {
  const rules = fixture<{ [language: string]: [number, string][] }>('plurals');
  for (const [language, numbers] of Object.entries(rules)) {
    const browser = new Intl.PluralRules(language);
    for (const [number, category] of numbers) assert.equal(browser.select(number), category, `${language}: ${number}`);
  }
});
