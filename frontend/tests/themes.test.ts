// Every look, by day and in the evening, meets WCAG AA; none of them touches the colours of SET cards.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { contrast } from './colours.ts';

const read = (name: string): string => readFileSync(new URL(`../src/styles/${name}.css`, import.meta.url), 'utf-8');
const THEMES = read('themes');
const TOKEN = /--([\w-]+):\s*(#[0-9a-f]{6})\b/g;

interface Tokens {
  [name: string]: string;
}
const tokensIn = (text: string): Tokens => Object.fromEntries([...text.matchAll(TOKEN)].map((m) => [m[1], m[2]]));
const SHARED = tokensIn(read('tokens'));
const blocks = [...THEMES.matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selector = '', body = '']) => ({
  selector,
  body,
}));
const rows = blocks.flatMap(({ selector, body }) => {
  const look = /\[data-look='(\w+)'\](?:\[data-theme='(\w+)'\])?/.exec(selector);
  return look ? [{ name: `${look[1]} ${look[2] ?? 'dark'}`, tokens: { ...SHARED, ...tokensIn(body) }, body }] : [];
});
const backs = blocks.filter(({ selector }) => selector.includes('data-back'));

/** What is written on what, and shapes that must be told from their ground. */
const TEXT: [string, string[]][] = [
  ['ink', ['paper', 'raised', 'sunken', 'accent-soft', 'gold-soft', 'alert-soft']],
  ['ink-soft', ['paper', 'raised', 'sunken']],
  ['accent', ['paper', 'raised', 'accent-soft']],
  ['accent-ink', ['accent']],
  ['gold', ['paper', 'raised', 'gold-soft']],
  ['gold-ink', ['gold-1', 'gold-2', 'you']],
  ['alert', ['paper', 'raised', 'alert-soft']],
  ['good', ['paper', 'raised']],
  ['on-felt', ['felt', 'felt-deep']],
  ['on-felt-soft', ['felt', 'felt-deep']],
  ['card-ink', ['face', 'face-2']],
  ['karma-ink', ['karma-1', 'karma-2']],
];
const SHAPES: [string, string[]][] = [
  ['line-strong', ['paper', 'raised']],
  ['gold', ['paper', 'raised', 'sunken']],
  ['you', ['felt', 'felt-deep']],
];

function assertContrast(tokens: Tokens, pairs: [string, string[]][], least: number): void {
  for (const [on, grounds] of pairs)
    for (const ground of grounds) {
      const reached = contrast(tokens[on] ?? '', tokens[ground] ?? '');
      assert.ok(reached >= least, `${on} on ${ground}: ${reached.toFixed(2)}`);
    }
}

test('there are rows for every look', () => {
  assert.deepEqual(rows.map((each) => each.name).sort(), [
    'contrast dark',
    'contrast light',
    'felt dark',
    'felt light',
    'night dark',
    'paper dark',
    'paper light',
  ]);
});
for (const { name, tokens, body } of rows) {
  test(`${name}: text and shapes stand out`, () => {
    assertContrast(tokens, TEXT, name.startsWith('contrast') ? 7 : 4.5);
    assertContrast(tokens, SHAPES, 3);
  });
  test(`${name}: every row has the same colours`, () => {
    const common = Object.keys(tokensIn(rows[0]?.body ?? ''));
    assert.deepEqual(
      common.filter((each) => !(each in tokensIn(body))),
      [],
    );
  });
}
test('the drawing on every back stands out', () => {
  assert.ok(backs.length >= 3);
  for (const { body } of backs) assertContrast(tokensIn(body), [['back-ink', ['back-1', 'back-2']]], 3);
});
test('no look changes the colours of SET cards', () => assert.doesNotMatch(THEMES + read('tokens'), /--set-/));
