// The colours of SET cards. A test computes how well each palette works for each kind of colour vision.

export const PALETTE_NAMES = ['classic', 'safe', 'contrast'] as const;
export type PaletteName = (typeof PALETTE_NAMES)[number];

export interface Palette {
  /** The card's face and border. */
  face: string;
  edge: string;
  /** Text on the card. */
  ink: string;
  red: string;
  purple: string;
  green: string;
}

const CLASSIC = { red: '#d4213d', purple: '#5a2a96', green: '#0a8f4f' };
/** Differs in lightness as well as in hue, so that the colours stay apart for every kind of colour blindness. */
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

/** Sets the colours of a palette on an element and all cards inside it. */
export function applyPalette(element: HTMLElement, name: PaletteName, theme: 'light' | 'dark'): void {
  for (const [part, colour] of Object.entries(PALETTES[name][theme]))
    element.style.setProperty(`--set-${part}`, colour);
}
