// Settings stored on this device, and access to the browser's storage.

import type { Language } from '../generated/texts.ts';
import type { KeyChoice } from '../games/set/keyboardLayout.ts';
import type { PaletteName } from '../games/set/palettes.ts';

export interface Settings {
  theme: 'auto' | 'light' | 'dark';
  size: 'small' | 'medium' | 'large';
  hand: 'right' | 'left';
  sound: 'off' | 'soft';
  motion: 'auto' | 'reduced';
  language: 'auto' | Language;
  ask: boolean;
  buzz: boolean;
  notify: boolean;
  /** SET: palette, a sign on each colour, keyboard layout, custom keys, key labels on cards. */
  palette: PaletteName;
  signs: boolean;
  keys: KeyChoice;
  ownKeys: string[];
  letters: 'auto' | 'on' | 'off';
  /** Level of the bots in a quick game of SET. */
  setBots: string;
  /** How SET is played with others, unless a table says otherwise. */
  setStyle: 'quick' | 'tabletop';
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
  setStyle: 'quick',
};

const KEY = 'threefold.settings';

/** Reads a value from local storage; returns the fallback where storage is forbidden or broken. */
export function readStorage<T>(key: string, fallback: T): T {
  try {
    const stored = localStorage.getItem(key);
    return stored === null ? fallback : (JSON.parse(stored) as T);
  } catch {
    return fallback;
  }
}

export function writeStorage(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Private windows may forbid storage: the value then lasts as long as the page.
  }
}

export const settings: Settings = $state({ ...DEFAULTS, ...readStorage<Partial<Settings>>(KEY, {}) });

const darkQuery = matchMedia('(prefers-color-scheme: dark)');
const motionQuery = matchMedia('(prefers-reduced-motion: reduce)');
const pointerQuery = matchMedia('(hover: hover) and (pointer: fine)');
const system = $state({
  dark: darkQuery.matches,
  reducedMotion: motionQuery.matches,
  finePointer: pointerQuery.matches,
});
pointerQuery.addEventListener('change', () => (system.finePointer = pointerQuery.matches));
darkQuery.addEventListener('change', () => (system.dark = darkQuery.matches));
motionQuery.addEventListener('change', () => (system.reducedMotion = motionQuery.matches));

/** Should cards move without animation? */
export function reducedMotion(): boolean {
  return settings.motion === 'reduced' || system.reducedMotion;
}

/** Does this device have a mouse or the like, and so most likely a keyboard? */
export function hasFinePointer(): boolean {
  return system.finePointer;
}

/** The theme in force. */
export function theme(): 'light' | 'dark' {
  return settings.theme === 'auto' ? (system.dark ? 'dark' : 'light') : settings.theme;
}

/** Applies the settings to the page and stores them. Call it inside an effect. */
export function applySettings(): void {
  const root = document.documentElement;
  root.dataset.theme = theme();
  root.dataset.size = settings.size;
  root.dataset.hand = settings.hand;
  root.dataset.motion = reducedMotion() ? 'reduced' : 'full';
  writeStorage(KEY, settings);
}
