// The colours of SET: what red, purple and green look like, on which cards. A test says how far apart they are for whom.

export const PALETTE_NAMES = ['classic', 'safe', 'contrast'] as const;
export type PaletteName = (typeof PALETTE_NAMES)[number];

export interface Palette {
  /** The card itself and its edge. */
  face: string;
  edge: string;
  /** Letters on the card. */
  ink: string;
  red: string;
  purple: string;
  green: string;
}

const CLASSIC = { red: '#d4213d', purple: '#5a2a96', green: '#0a8f4f' };
/** Apart in lightness as well as in hue, so that no kind of colour blindness makes two of them one. */
const SAFE = { red: '#d3110f', purple: '#4416a4', green: '#1f9a8b' };

export const PALETTES: { readonly [name in PaletteName]: { readonly light: Palette; readonly dark: Palette } } = {
  classic: {
    light: { face: '#fffdf7', edge: '#cfc6b2', ink: '#5d5747', ...CLASSIC },
    dark: { face: '#f6f1e4', edge: '#b6ad98', ink: '#5d5747', ...CLASSIC },
  },
  safe: {
    light: { face: '#fffdf7', edge: '#cfc6b2', ink: '#5d5747', ...SAFE },
    dark: { face: '#f6f1e4', edge: '#b6ad98', ink: '#5d5747', ...SAFE },
  },
  contrast: {
    light: { face: '#ffffff', edge: '#000000', ink: '#000000', red: '#c60706', purple: '#2a0a80', green: '#2a8077' },
    dark: { face: '#000000', edge: '#ffffff', ink: '#ffffff', red: '#ff6133', purple: '#ab80fc', green: '#c9ffec' },
  },
};

/** Gives an element, and all cards inside it, the colours of a palette. */
export function paint(element: HTMLElement, name: PaletteName, theme: 'light' | 'dark'): void {
  for (const [part, colour] of Object.entries(PALETTES[name][theme])) element.style.setProperty(`--set-${part}`, colour);
}
