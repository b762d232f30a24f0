// Portraits as layers of paths in a box of 64 by 64. People are drawn from their names: the same name always has the
// same face. Bots are animals, and understudies wear something. The colours are those of the drawings, so they are the
// same in every theme.

import { FACES, type Animal, type Look } from '../generated/games.ts';

/** One layer: its path and fill; with a width it is a line of that colour. */
export type Layer = readonly [path: string, colour: string, width?: number];

const INK = '#2e211b';

function disc(x: number, y: number, r: number, ry = r): string {
  return `M${x - r} ${y}a${r} ${ry} 0 1 1 ${2 * r} 0a${r} ${ry} 0 1 1 ${-2 * r} 0z`;
}
/** The same disc on both sides of the face. */
function pair(x: number, y: number, r: number, ry = r): string {
  return disc(32 - x, y, r, ry) + disc(32 + x, y, r, ry);
}
const ground = (colour: string): Layer => ['M0 0h64v64H0z', colour];

const ANIMALS: { readonly [animal in Animal]: readonly Layer[] } = {
  owl: [
    ground('#c7b8e6'),
    ['M12 64V30c0-6-1-12-3-18 6 1 10 3 13 6 6-2 14-2 20 0 3-3 7-5 13-6-2 6-3 12-3 18v34z', '#6f5a4a'],
    ['M20 64c0-12 5-18 12-18s12 6 12 18z', '#b79f86'],
    [pair(10, 32, 10.5), '#f7efdf'],
    [pair(10, 32, 6.5), '#f2b632'],
    [pair(9.2, 32, 3.6), INK],
    [disc(24, 30.5, 1.2) + disc(42.4, 30.5, 1.2), '#fff'],
    ['M28 40h8l-4 8z', '#e0902a'],
  ],
  fox: [
    ground('#9ed0c2'),
    ['M8 8c6 1 12 5 16 11h16C44 13 50 9 56 8c2 10 1 18-1 24 0 14-10 26-23 26S9 46 9 32C7 26 6 18 8 8z', '#dd6b2b'],
    ['M12 14c4 2 7 4 9 8l-7 6c-2-5-3-9-2-14zM52 14c-4 2-7 4-9 8l7 6c2-5 3-9 2-14z', '#5a2a1a'],
    ['M9.5 36C16 36 24 38 32 51c8-13 16-15 22.5-15C53 49 43 58 32 58S11 49 9.5 36z', '#fff3e2'],
    ['M18 33c2-4 7-4 9 0-3-1.5-6-1.5-9 0zM37 33c2-4 7-4 9 0-3-1.5-6-1.5-9 0z', INK],
    ['M18 33c2-4 7-4 9 0M37 33c2-4 7-4 9 0', INK, 2],
    [disc(32, 50, 4.2, 3.2), INK],
  ],
  bear: [
    ground('#ecd79b'),
    [pair(17, 19, 9) + disc(32, 36, 23), '#7d5236'],
    [pair(17, 19, 4.5) + disc(32, 44, 11.5, 9), '#c9976c'],
    [pair(9, 32, 2.5) + disc(32, 40.5, 4.5, 3.2), INK],
    ['M27 48c3 2.5 7 2.5 10 0', INK, 2],
  ],
  hare: [
    ground('#b7cfe8'),
    ['M21 36C13 22 12 5 18 3s11 14 11 30zM43 36C51 22 52 5 46 3S35 17 35 33z', '#a98d72'],
    ['M22 30C17 20 16 10 18.5 9S25 19 26 31zM42 30c5-10 6-20 3.5-21S39 19 38 31z', '#efc3b4'],
    [disc(32, 44, 18, 17), '#a98d72'],
    [pair(5, 51, 6.5, 5.5), '#f4ebdd'],
    [pair(9, 40, 2.7), INK],
    ['M29 46h6l-3 3.5z', '#c4615a'],
    ['M29.5 55h5v5h-5z', '#fff'],
  ],
  tortoise: [
    ground('#f3cfa0'),
    ['M9 62c-3-4-1-9 4-10M55 62c3-4 1-9-4-10', '#7fa85e', 9],
    ['M4 52C4 22 15 7 32 7s28 15 28 45c-8 5-48 5-56 0z', '#6a5a2f'],
    ['M32 9l9 7v12H23V16zM23 28L9 34M41 28l14 6M23 16l-8-1M41 16l8-1', '#b49a55', 2.6],
    [disc(32, 47, 15, 15), '#8fba6c'],
    [pair(6.5, 42, 3.8, 4.4), '#fff'],
    [pair(6, 42.5, 2.1), INK],
    ['M24 52c4 4.5 12 4.5 16 0', '#3c5527', 2.4],
  ],
  snail: [
    ground('#a9d6b4'),
    ['M6 56C3 38 3 28 4 17c0-2 5-2 5 0l1 14h4l1-14c0-2 5-2 5 0 1 12 1 17 2 23h36c2 8 1 13-2 16z', '#e2b98a'],
    [disc(41, 34, 19), '#b3543f'],
    ['M41 34c4-4 8 1 5 5-4 5-13 2-13-6 0-9 12-13 19-6', '#f2c9a8', 3.2],
    [disc(6.5, 15, 3.6) + disc(17.5, 15, 3.6), '#fff'],
    [disc(7, 15, 1.8) + disc(18, 15, 1.8), INK],
    ['M9 42c2 2.5 5 2.5 7 0', '#9a5b36', 2],
  ],
  mouse: [
    ground('#d9c4d6'),
    [pair(17, 22, 13) + 'M12 38c0-11 9-16 20-16s20 5 20 16S41 60 32 60 12 49 12 38z', '#8d8f98'],
    [pair(17, 22, 8), '#eebcb4'],
    [pair(8.5, 38, 2.7), INK],
    [disc(32, 51, 3.8, 3.2), '#d4706a'],
    ['M26 52l-13-3M26 54l-12 3M38 52l13-3M38 54l12 3', '#5d5f68', 1.4],
  ],
  hedgehog: [
    ground('#f0c9b0'),
    ['M32 4l5 5 7-3 1 7 8 0-2 7 7 4-5 6 5 6-6 4 3 8-9 1-28 0-9-1 3-8-6-4 5-6-5-6 7-4-2-7 8 0 1-7 7 3z', '#5b4334'],
    ['M12 46c0-15 8-23 20-23s20 8 20 23c0 9-9 15-20 15s-20-6-20-15z', '#e3bd92'],
    [pair(16, 30, 5.5), '#c79468'],
    [pair(8.5, 39, 2.7) + disc(32, 49, 4.4, 3.6), INK],
    ['M27 55c3 2 7 2 10 0', '#7a5236', 2],
  ],
  badger: [
    ground('#a9c5ea'),
    [pair(18, 16, 7), '#2f2f33'],
    ['M8 36C8 18 18 8 32 8s24 10 24 28-10 24-24 24S8 54 8 36z', '#f4f1ea'],
    ['M17 13c4-2 8-3 10-3-1 14-2 28-3 44-5-1-11-6-13-12 0-12 2-22 6-29z', '#2f2f33'],
    ['M47 13c-4-2-8-3-10-3 1 14 2 28 3 44 5-1 11-6 13-12 0-12-2-22-6-29z', '#2f2f33'],
    [pair(11, 33, 3.4), '#f4f1ea'],
    [pair(11, 33, 2.2) + disc(32, 51, 5.2, 4), INK],
  ],
  frog: [
    ground('#e6d58a'),
    [pair(13, 18, 10), '#5c9b4e'],
    ['M4 42c0-15 12-22 28-22s28 7 28 22-12 20-28 20S4 57 4 42z', '#6cae5a'],
    [pair(13, 17, 6.6), '#fff'],
    [pair(12.4, 17.5, 3.4), INK],
    ['M12 43c11 9 29 9 40 0', '#2f5a2a', 2.8],
    ['M29 34h.1M35 34h.1', '#2f5a2a', 2.4],
  ],
  lynx: [
    ground('#c9b7dc'),
    ['M12 30L10 4l14 13h16L54 4l-2 26c3 4 4 9 4 13-3 11-12 18-24 18S11 54 8 43c0-4 1-9 4-13z', '#c9925a'],
    ['M10 4L8 0l5 4zM54 4l2-4-5 4zM13 10l7 8-6 4zM51 10l-7 8 6 4z', '#3d2a20'],
    ['M8 43c8-2 14 1 18 6 3 2 9 2 12 0 4-5 10-8 18-6-3 11-12 18-24 18S11 54 8 43z', '#f7ead7'],
    [pair(10, 34, 5.4, 4.4), '#9fc23c'],
    [pair(10, 34, 1.8, 4.2) + disc(32, 46, 3.8, 2.8), INK],
    ['M32 48v4M27 54c2 1 4 0 5-2 1 2 3 3 5 2', '#3d2a20', 1.8],
    ['M20 18l3 5M32 15v6M44 18l-3 5', '#8a5a30', 2.4],
  ],
  elephant: [
    ground('#f2c3b0'),
    ['M22 24C10 10 0 16 1 32s10 22 19 18zM42 24c12-14 22-8 21 8s-10 22-19 18z', '#8a94a6'],
    ['M19 28C11 19 6 22 6 32s6 14 12 12zM45 28c8-9 13-6 13 4s-6 14-12 12z', '#d9a8a8'],
    ['M16 34c0-14 6-22 16-22s16 8 16 22c0 9-4 14-10 16v14H26V50c-6-2-10-7-10-16z', '#9aa5b6'],
    ['M27 52c3 1.5 7 1.5 10 0M27 57c3 1.5 7 1.5 10 0', '#727d90', 1.8],
    ['M24 49c-3 2-5 5-5 9l5-3zM40 49c3 2 5 5 5 9l-5-3z', '#fff7e8'],
    [pair(8.5, 33, 2.7), INK],
  ],
  raven: [
    ground('#e9c98f'),
    ['M10 64c-2-16-1-27 2-35C15 16 22 9 32 9s17 7 20 20c3 8 4 19 2 35z', '#2c3345'],
    ['M20 15c2-5 5-8 9-10 0 2 0 3-1 5 3-3 6-4 10-4-3 3-5 5-5 9z', '#2c3345'],
    ['M14 64c0-8 7-14 18-14s18 6 18 14z', '#3f4a63'],
    [pair(10, 31, 8), '#5b6885'],
    [pair(10, 31, 5.4), '#fbf3e2'],
    [pair(9.4, 31.5, 2.9), INK],
    ['M24 37c3-4 13-4 16 0-1 8-4 15-8 19-4-4-7-11-8-19z', '#b98530'],
    ['M25 40c5 3 9 3 14 0', '#6d4a15', 1.8],
  ],
};
/** What an understudy wears, over the animal, and the ground behind it. */
const LOOKS: { readonly [look in Look]: readonly [ground: string, layers: readonly Layer[]] } = {
  plain: ['', []],
  scarf: [
    '#efe4cf',
    [
      ['M4 53c18 7 38 7 56 0v9c-18 5-38 5-56 0z', '#2d5a8c'],
      ['M9 57l3 6M21 60l2 4M33 61v3M45 60l-2 4', '#cfe0f2', 2],
    ],
  ],
  flower: [
    '#f6d3dc',
    [
      [disc(50, 8, 5) + disc(58, 13, 5) + disc(55, 21, 5) + disc(45, 21, 5) + disc(42, 13, 5), '#c2456b'],
      [disc(50, 15, 4.4), '#f6cf57'],
    ],
  ],
  cap: [
    '#d3dbe6',
    [
      ['M12 16C13 4 23 0 32 0s19 4 20 16z', '#a1432f'],
      ['M8 16h48c3 0 3 5 0 5H8c-3 0-3-5 0-5z', '#7b2f20'],
    ],
  ],
};

const GROUNDS = ['#f0b79c', '#f3c65c', '#a9c5ea', '#b8d9a8', '#c7b8e6', '#9ed0c2', '#f2a9a0', '#d9cfae'];
/** Skin and its shade. */
const SKINS = [
  ['#f7cfb1', '#e8b190'],
  ['#f6c6a6', '#e2a07e'],
  ['#dfa379', '#c98a62'],
  ['#bf8258', '#a46a44'],
  ['#8a5b40', '#6d4630'],
  ['#74492f', '#5a3825'],
] as const;
/** The first four suit every skin. */
const HAIRS = ['#1f1714', '#4a2c22', '#3a2f3d', '#a9a39b', '#8a3b1d', '#d9a441', '#6b4a2c'];
const CLOTHES = ['#2f7f77', '#37295f', '#a1432f', '#b4473a', '#2d5a8c', '#6b7f2f', '#8a4470', '#35423d'];

/** Hair behind the head, and hair in front of it. */
const STYLES: readonly (readonly [back: string, front: string])[] = [
  // Long, with a fringe.
  [
    'M12 64V34C12 18 20 10 32 10s20 8 20 24v30z',
    'M18 33c0-13 7-17 14-17s14 4 14 17c-3-7-6-9-9-10-5 4-13 4-16 3-1 2-2 4-3 7z',
  ],
  // A bun.
  [
    `${disc(32, 11, 8)}M15 38c-2-17 6-25 17-25s19 8 17 25z`,
    'M18 33c1-9 7-13 14-13s13 4 14 13c-5-2-8-5-9-8-4 5-12 8-19 8z',
  ],
  // Short.
  ['', 'M17.5 33c-1.5-14 5-20 14.5-20s16 6 14.5 20c-1-6-3-9-4-10-7 2-14 2-21 0-1 1-3 4-4 10z'],
  // Chin-length.
  [
    'M13 48c-3-4-3-10-2-16C12 18 20 10 32 10s20 8 21 22c1 6 1 12-2 16z',
    'M18 35c-1-13 6-19 14-19s15 6 14 19c-2-4-3-7-3-10-8 1-15-1-19-4-1 5-3 9-6 14z',
  ],
  // Curls.
  [
    [disc(16, 30, 8), disc(48, 30, 8), disc(20, 19, 9), disc(44, 19, 9), disc(32, 14, 10)].join(''),
    `${disc(24, 20, 6)}${disc(32, 18, 6)}${disc(40, 20, 6)}`,
  ],
  // A quiff.
  ['', 'M18 33c-2-9-1-15 3-18 4-5 16-7 24-3-2 1-2 2-1 3 3 5 3 11 2 18-1-5-2-8-4-10-8 0-14-1-19-4-2 4-4 8-5 14z'],
  // A pony tail.
  [
    'M44 16c10-1 14 8 12 18-1 8-1 12 1 17-8 0-12-6-12-14z',
    'M18 34c-2-14 5-20 14-20s16 6 14 20c-2-6-4-9-8-11-6 3-13 3-16 2-2 2-3 5-4 9z',
  ],
  // Hardly any.
  ['', 'M18 31c-1-4 0-8 2-10 0 4 0 6-2 10zM46 31c1-4 0-8-2-10 0 4 0 6 2 10z'],
  // A headscarf.
  [
    'M12 64c-2-14 0-27 2-34C16 17 23 10 32 10s16 7 18 20c2 7 4 20 2 34z',
    'M18 37c-2-13 5-21 14-21s16 8 14 21c-2-7-5-12-14-12s-12 5-14 12z',
  ],
];
const BEARDED = [2, 5, 7];
const BEARD = 'M18.5 36c1 11 7 15 13.5 15s12.5-4 13.5-15c-2 5-5 6-7 5.5-4-2-9-2-13 0-2 .5-5-.5-7-5.5z';
const PALE_LIPS = '#f0cdb8';
const MOUTHS: readonly Layer[] = [
  ['M27 41.5c3 3 7 3 10 0', '#8f3d2f', 2.2],
  ['M26.5 41c3.5 4.5 7.5 4.5 11 0z', '#fff'],
  ['M28 42.5c3 1.5 6 1.2 8.5-.5', '#8f3d2f', 2.2],
];

/** A generator of whole numbers below a limit, from a text. The low bits of this hash mix badly, the high ones well. */
function numbersFrom(seed: string): (limit: number) => number {
  let state = 0x811c9dc5;
  for (const each of seed) state = Math.imul(state ^ (each.codePointAt(0) ?? 0), 0x01000193);
  return (limit) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5;
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % limit;
  };
}

/** The portrait of a person. */
export function personLayers(name: string): Layer[] {
  const next = numbersFrom(name.normalize('NFC').trim().toLowerCase());
  const of = <T>(all: readonly T[]): T => all[next(all.length)] as T;
  const [paper, tone, cloth] = [of(GROUNDS), next(SKINS.length), of(CLOTHES)];
  const [skin, shade] = SKINS[tone] as (typeof SKINS)[number];
  const isDark = tone > 2;
  const hair = of(isDark ? HAIRS.slice(0, 4) : HAIRS);
  const ink = isDark ? '#140d0a' : INK;
  const style = next(STYLES.length);
  const [back, front] = STYLES[style] as (typeof STYLES)[number];
  const beard = BEARDED.includes(style) && next(2) === 0;
  const colour = style === STYLES.length - 1 ? cloth : hair;
  const layers: Layer[] = [
    ground(paper),
    [back, colour],
    ['M13 64c1-9 9-12 19-12s18 3 19 12z', cloth],
    ['M26 44h12v9c0 4-12 4-12 0z', shade],
    [disc(32, 33.5, 13.2, 15.5), skin],
  ];
  if (beard) layers.push([BEARD, hair]);
  layers.push([front, colour], [pair(5.5, 34.5, 1.9), ink]);
  if (next(4) === 0) layers.push([`${pair(6, 35, 4.8)}M30.8 35h2.4`, ink, 1.6]);
  const [mouth, ...lips] = of(MOUTHS);
  if (beard) layers.push(['M28 45c2.5 1.8 5.5 1.8 8 0', PALE_LIPS, 1.8]);
  else layers.push(tone > 3 && lips[1] ? [mouth, PALE_LIPS, lips[1]] : [mouth, ...lips]);
  return layers.filter(([path]) => path !== '');
}

/** The portrait of a bot. A name that bots had in an earlier version has an understudy's face, always the same. */
export function botLayers(name: string): readonly Layer[] {
  const others = Object.values(FACES).filter(({ look }) => look !== 'plain');
  const { animal, look } = FACES[name] ??
    others[numbersFrom(name)(others.length)] ?? { animal: 'mouse', look: 'plain' };
  const [paper, worn] = LOOKS[look];
  const [first, ...rest] = ANIMALS[animal];
  return first === undefined ? [] : [paper === '' ? first : ground(paper), ...rest, ...worn];
}
