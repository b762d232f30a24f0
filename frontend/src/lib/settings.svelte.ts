// Settings stored on this device, and access to the browser's storage.

import type { Language } from '../generated/texts.ts';
import type { Audible, Volume } from './moments.ts';

/** The looks of the table: rows of colours in styles/themes.css. */
export const LOOKS = ['felt', 'night', 'paper', 'contrast'] as const;
/** Looks that have no daylight. */
const DARK_LOOKS: readonly string[] = ['night'];
/** The backs of cards, in styles/themes.css. */
export const BACKS = ['trefoil', 'rays', 'waves', 'plaid'] as const;

/** Speeds of the animation: what all times are multiplied by. */
export const PACES = { slow: 1.7, normal: 1, fast: 0.5, off: 0 } as const;
/** What earlier versions stored. */
const EARLIER_MOTIONS: { readonly [motion: string]: keyof typeof PACES } = { auto: 'normal', reduced: 'off' };

export interface Settings {
  theme: 'auto' | 'light' | 'dark';
  look: (typeof LOOKS)[number];
  back: (typeof BACKS)[number];
  size: 'small' | 'medium' | 'large';
  hand: 'right' | 'left';
  volume: Volume;
  /** How loud the sounds were when they were last on. */
  loudness: Audible;
  motion: keyof typeof PACES;
  language: 'auto' | Language;
  ask: boolean;
  buzz: boolean;
  notify: boolean;
}

export const DEFAULTS: Settings = {
  theme: 'auto',
  look: 'felt',
  back: 'trefoil',
  size: 'medium',
  hand: 'right',
  volume: 'ask',
  loudness: 'quiet',
  motion: 'normal',
  language: 'auto',
  ask: false,
  buzz: true,
  notify: false,
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
settings.motion = EARLIER_MOTIONS[settings.motion] ?? settings.motion;

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
  return settings.motion === 'off' || system.reducedMotion;
}

/** What the times of an animation are multiplied by. */
export function pace(): number {
  return PACES[settings.motion];
}

/** Does this device have a mouse or the like, and so most likely a keyboard? */
export function hasFinePointer(): boolean {
  return system.finePointer;
}

/** Can this look be light as well as dark? */
export function hasDaylight(look: string): boolean {
  return !DARK_LOOKS.includes(look);
}

/** Light or dark, in a look: by the setting, the device, or the look itself. */
export function theme(look: string = settings.look): 'light' | 'dark' {
  if (!hasDaylight(look)) return 'dark';
  return settings.theme === 'auto' ? (system.dark ? 'dark' : 'light') : settings.theme;
}

/** The settings of one game, stored under its name. They used to be among those of the page. */
export function gameSettings<Own extends object>(game: string, defaults: Own): Own {
  const key = `${KEY}.${game}`;
  const earlier = Object.entries(readStorage<object>(KEY, {})).filter(([name]) => name in defaults);
  const own: Own = $state({ ...defaults, ...Object.fromEntries(earlier), ...readStorage<Partial<Own>>(key, {}) });
  $effect.root(() => {
    $effect(() => writeStorage(key, own));
  });
  return own;
}

/** Applies the settings to the page and stores them. Call it inside an effect. */
export function applySettings(): void {
  const root = document.documentElement;
  root.dataset.theme = theme();
  root.dataset.look = settings.look;
  root.dataset.back = settings.back;
  root.dataset.size = settings.size;
  root.dataset.hand = settings.hand;
  root.dataset.motion = reducedMotion() ? 'reduced' : 'full';
  // The browser's own bar continues the page.
  const paper = getComputedStyle(root).getPropertyValue('--paper');
  for (const each of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) each.content = paper;
  writeStorage(KEY, settings);
}
