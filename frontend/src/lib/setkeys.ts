// Cards by letter keys: three rows of seven keys, as the cards lie. What counts is the letter that a key writes.

export const KEY_LAYOUTS = ['qwerty', 'qwertz', 'azerty', 'dvorak', 'colemak'] as const;
export type KeyLayout = (typeof KEY_LAYOUTS)[number];
/** `auto` guesses from the browser's language; `own` is what somebody has pressed in the settings. */
export type KeyChoice = 'auto' | KeyLayout | 'own';

export const KEY_COLUMNS = 7;
export const KEY_ROWS = 3;

const ROWS: { readonly [layout in KeyLayout]: string } = {
  qwerty: 'qwertyu asdfghj zxcvbnm',
  qwertz: 'qwertzu asdfghj yxcvbnm',
  azerty: 'azertyu qsdfghj wxcvbn,',
  dvorak: "',.pyfg aoeuidh ;qjkxbm",
  colemak: 'qwfpgjl arstdhn zxcvbkm',
};
const GUESSES: { readonly [language: string]: KeyLayout } = {
  de: 'qwertz', cs: 'qwertz', sk: 'qwertz', hu: 'qwertz', sl: 'qwertz', hr: 'qwertz', fr: 'azerty',
};
/** Keys that do something else at a table, or in every browser. */
export const RESERVED: ReadonlySet<string> = new Set([' ', 'escape', 'enter', 'tab', 'backspace', '0', '9', '?']);

/** The layout that a browser of this language probably has. */
export function guessLayout(language: string): KeyLayout {
  return GUESSES[language.toLowerCase().split('-')[0] ?? ''] ?? 'qwerty';
}

/** The 21 keys of a layout, row by row. */
export function blockOf(choice: KeyChoice, own: readonly string[], language: string): string[] {
  if (choice === 'own' && own.length === KEY_ROWS * KEY_COLUMNS) return [...own];
  const layout = choice === 'auto' || choice === 'own' ? guessLayout(language) : choice;
  return [...ROWS[layout].replaceAll(' ', '')];
}

function at(block: readonly string[], row: number, column: number): string {
  return block[row * KEY_COLUMNS + column] ?? '';
}

/** The keys of a layout of cards by place: the first three places are the first column of keys, and so on. */
export function layoutKeys(block: readonly string[]): string[] {
  return Array.from({ length: KEY_ROWS * KEY_COLUMNS }, (_, i) => at(block, i % KEY_ROWS, Math.floor(i / KEY_ROWS)));
}

/** 20/20 SET: the centre is the left of the keyboard, two rows of three. */
export function centreKeys(block: readonly string[]): string[] {
  return Array.from({ length: 6 }, (_, i) => at(block, Math.floor(i / 3), i % 3));
}

/** 20/20 SET: one's own cards are the right of it, three rows of three. */
export function personalKeys(block: readonly string[]): string[] {
  return Array.from({ length: 9 }, (_, i) => at(block, Math.floor(i / 3), 4 + (i % 3)));
}

/** Which key was pressed, as the layouts write it; null for a shortcut of the browser, or while somebody writes. */
export function keyOf(event: KeyboardEvent): string | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return null;
  const target = event.target as Element | null;
  if (target?.closest?.('input, textarea, select, dialog')) return null;
  return event.key.toLowerCase();
}

/** Places of an own layout whose keys cannot stay: used twice, or used for something else. */
export function conflicts(own: readonly string[]): number[] {
  return own.flatMap((key, i) => (RESERVED.has(key) || own.indexOf(key) !== i || own.lastIndexOf(key) !== i ? [i] : []));
}
