// What this device remembers about how its owner likes the table.

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
const system = $state({ dark: darkness.matches, still: stillness.matches });
darkness.addEventListener('change', () => (system.dark = darkness.matches));
stillness.addEventListener('change', () => (system.still = stillness.matches));

/** Whether cards should go to their places without flying. */
export function still(): boolean {
  return settings.motion === 'reduced' || system.still;
}

/** Applies the settings to the page and keeps them. Called inside an effect. */
export function applySettings(): void {
  const root = document.documentElement;
  root.dataset.theme = settings.theme === 'auto' ? (system.dark ? 'dark' : 'light') : settings.theme;
  root.dataset.size = settings.size;
  root.dataset.hand = settings.hand;
  root.dataset.motion = still() ? 'reduced' : 'full';
  remember(KEY, settings);
}
