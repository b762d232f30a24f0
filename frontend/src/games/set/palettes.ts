// The colours of SET cards. A test computes how well each palette works for each kind of colour vision.

export const PALETTE_NAMES = ['classic', 'safe', 'contrast'] as const;
export type PaletteName = (typeof PALETTE_NAMES)[number];

export interface Palette {
  /** The card's face from its upper to its lower edge, and its border. */
  face: string;
  foot: string;
  edge: string;
  /** Text on the card. */
  ink: string;
  red: string;
  purple: string;
  green: string;
  /** The fourth colour of Quads. */
  yellow: string;
}
/** Cards by day, light cards on an evening table, and dark cards. */
export const FACES = ['light', 'evening', 'dark'] as const;
export type Faces = (typeof FACES)[number];

const DAY = { face: '#fffdf6', foot: '#f7f0df', edge: '#cdc2a8', ink: '#6a6553' };
const EVENING = { face: '#f7f1e2', foot: '#eae1cb', edge: '#a89d84', ink: '#5d5747' };
const NIGHT = { face: '#232927', foot: '#1a1f1d', edge: '#4b5550', ink: '#b7c1ba' };
const CLASSIC = { red: '#d4213c', purple: '#5a2a9c', green: '#0b8548', yellow: '#b97f00' };
/** Differs in lightness as well as in hue, so that the colours stay apart for every kind of colour blindness. */
const SAFE = { red: '#d3110f', purple: '#4416a4', green: '#1f9a8b', yellow: '#b98100' };
const WHITE = { face: '#ffffff', foot: '#ffffff', edge: '#000000', ink: '#000000' };
const BOLD = { ...WHITE, red: '#c60706', purple: '#2a0a80', green: '#2a8077', yellow: '#936000' };
const BLACK = { face: '#000000', foot: '#000000', edge: '#ffffff', ink: '#ffffff' };

export const PALETTES: { readonly [name in PaletteName]: { readonly [faces in Faces]: Palette } } = {
  classic: {
    light: { ...DAY, ...CLASSIC },
    evening: { ...EVENING, ...CLASSIC },
    dark: { ...NIGHT, red: '#ff5d68', purple: '#a98cff', green: '#46cf86', yellow: '#f2c744' },
  },
  safe: {
    light: { ...DAY, ...SAFE },
    evening: { ...EVENING, ...SAFE },
    dark: { ...NIGHT, red: '#e12d15', purple: '#8b52ef', green: '#b3e8de', yellow: '#f0c33c' },
  },
  contrast: {
    light: BOLD,
    evening: BOLD,
    dark: { ...BLACK, red: '#ff6133', purple: '#ab80fc', green: '#c9ffec', yellow: '#ffd23d' },
  },
};

/** The faces in force. By themselves, cards stay light at night, unless their contrast must be high. */
export function facesOf(name: PaletteName, choice: 'auto' | 'light' | 'dark', theme: 'light' | 'dark'): Faces {
  if (choice === 'dark' || (choice === 'auto' && name === 'contrast' && theme === 'dark')) return 'dark';
  return theme === 'dark' ? 'evening' : 'light';
}

/** Sets the colours of a palette on an element and all cards inside it. */
export function applyPalette(element: HTMLElement, name: PaletteName, faces: Faces): void {
  for (const [part, colour] of Object.entries(PALETTES[name][faces]))
    element.style.setProperty(`--set-${part}`, colour);
}
