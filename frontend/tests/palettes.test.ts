// Red, purple and green stay apart for every kind of vision, on light and dark cards; the guide states by how much.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { FACES, facesOf, PALETTE_NAMES, PALETTES, type Palette } from '../src/games/set/palettes.ts';
import { ciede2000, contrast, difference, EYES, type Eyes } from './colours.ts';

const ALL = Object.keys(EYES) as Eyes[];
const BLIND = ALL.filter((each) => each !== 'usual');
const colours = ({ red, purple, green }: Palette): string[] => [red, purple, green];

function smallest(by: Eyes, palette: Palette): number {
  const [red = '', purple = '', green = ''] = colours(palette);
  return Math.min(difference(by, red, purple), difference(by, purple, green), difference(by, green, red));
}

test('the implementation of CIEDE2000 matches published pairs', () => {
  // Pairs of Sharma, Wu and Dalal (2005), table 1.
  const pairs: [number[], number[], number][] = [
    [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
    [[50, -1, 2], [50, 0, 0], 2.3669],
    [[50, 2.5, 0], [61, -5, 29], 22.8977],
    [[22.7233, 20.0904, -46.694], [23.0331, 14.973, -42.5619], 2.0373],
    [[90.8027, -2.0831, 1.441], [91.1528, -1.6435, 0.0447], 1.4441],
  ];
  for (const [one, other, says] of pairs) {
    assert.ok(Math.abs(ciede2000(one as [number, number, number], other as [number, number, number]) - says) < 0.0001);
  }
});

for (const name of PALETTE_NAMES) {
  for (const theme of FACES) {
    const palette = PALETTES[name][theme];
    test(`${name}, ${theme}: every colour stands out from the card`, () => {
      for (const colour of colours(palette))
        assert.ok(contrast(colour, palette.face) >= (name === 'contrast' ? 4.5 : 3), colour);
    });
    test(`${name}, ${theme}: colours differ in usual vision`, () => assert.ok(smallest('usual', palette) > 30));
  }
}

test('the colour-blind safe palette keeps its colours apart for everybody', () => {
  for (const theme of FACES) for (const by of ALL) assert.ok(smallest(by, PALETTES.safe[theme]) > 30, `${theme} ${by}`);
});

test('high contrast keeps its colours apart for everybody', () => {
  for (const theme of FACES)
    for (const by of ALL) assert.ok(smallest(by, PALETTES.contrast[theme]) > 25, `${theme} ${by}`);
});

test('the classic palette is not enough for colour blindness', () => {
  assert.ok(Math.min(...BLIND.map((by) => smallest(by, PALETTES.classic.light))) < 10);
});

test('the guide states the smallest differences', () => {
  const guide = readFileSync(new URL('../../docs/guides/page.md', import.meta.url), 'utf8');
  for (const name of PALETTE_NAMES) {
    for (const theme of FACES) {
      const cells = ALL.map((by) => smallest(by, PALETTES[name][theme]).toFixed(1)).join(' | ');
      assert.ok(guide.includes(`| ${name}, ${theme} | ${cells} |`), `| ${name}, ${theme} | ${cells} |`);
    }
  }
});

test('cards stay light at night unless the player wants dark ones or high contrast', () => {
  assert.equal(facesOf('classic', 'auto', 'light'), 'light');
  assert.equal(facesOf('safe', 'auto', 'dark'), 'evening');
  assert.equal(facesOf('contrast', 'auto', 'dark'), 'dark');
  assert.equal(facesOf('contrast', 'light', 'dark'), 'evening');
  assert.equal(facesOf('classic', 'dark', 'light'), 'dark');
});
