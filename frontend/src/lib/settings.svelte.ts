// What this device remembers about how its owner likes the table.

import { paint, type PaletteName } from './palettes.ts';
import { blockOf, type KeyChoice } from './setkeys.ts';

export interface Settings {
  theme: 'auto' | 'light' | 'dark';
  size: 'small' | 'medium' | 'large';
  hand: 'right' | 'left';
  sound: 'off' | 'soft';
  motion: 'auto' | 'reduced';
  language: 'auto' | 'en' | 'de' | 'es';
  ask: boolean;
  buzz: boolean;
  notify: boolean;
  /** SET: the colours, a sign on each colour, the keys, and whether cards show theirs. */
  palette: PaletteName;
  signs: boolean;
  keys: KeyChoice;
  ownKeys: string[];
  letters: 'auto' | 'on' | 'off';
  /** Who plays along in a quick game of SET. */
  setBots: string;
}

export const DEFAULTS: Settings = {
  theme: 'auto',
  size: 'medium',
  hand: 'right',
  sound: 'off',
  motion: 'auto',
  language: 'auto',
  ask: false,
  buzz: true,
  notify: false,
  palette: 'classic',
  signs: false,
  keys: 'auto',
  ownKeys: [],
  letters: 'auto',
  setBots: 'human2',
};

const KEY = 'threefold.settings';

/** Reads something this device remembers; a browser that forbids remembering forgets, and nothing breaks. */
export function recall<T>(key: string, otherwise: T): T {
  try {
    const kept = localStorage.getItem(key);
    return kept === null ? otherwise : (JSON.parse(kept) as T);
  } catch {
    return otherwise;
  }
}

export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Private windows may forbid it: then it lasts as long as the page.
  }
}

export const settings: Settings = $state({ ...DEFAULTS, ...recall<Partial<Settings>>(KEY, {}) });

const darkness = matchMedia('(prefers-color-scheme: dark)');
const stillness = matchMedia('(prefers-reduced-motion: reduce)');
const pointing = matchMedia('(hover: hover) and (pointer: fine)');
const system = $state({ dark: darkness.matches, still: stillness.matches, fine: pointing.matches });
pointing.addEventListener('change', () => (system.fine = pointing.matches));
darkness.addEventListener('change', () => (system.dark = darkness.matches));
stillness.addEventListener('change', () => (system.still = stillness.matches));

/** Whether cards should go to their places without flying. */
export function still(): boolean {
  return settings.motion === 'reduced' || system.still;
}

/** The 21 keys for cards of SET, row by row. */
export function keyBlock(): string[] {
  return blockOf(settings.keys, settings.ownKeys, navigator.language);
}

/** Whether cards of SET show their keys: by itself where there is a mouse, and so most likely a keyboard. */
export function showsLetters(): boolean {
  return settings.letters === 'on' || (settings.letters === 'auto' && system.fine);
}

/** Applies the settings to the page and keeps them. Called inside an effect. */
export function applySettings(): void {
  const root = document.documentElement;
  const theme = settings.theme === 'auto' ? (system.dark ? 'dark' : 'light') : settings.theme;
  root.dataset.theme = theme;
  paint(root, settings.palette, theme);
  root.dataset.size = settings.size;
  root.dataset.hand = settings.hand;
  root.dataset.motion = still() ? 'reduced' : 'full';
  remember(KEY, settings);
}
