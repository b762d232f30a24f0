// Letter keys for the cards of SET: three rows of seven keys, arranged like the cards. Keys are matched by the letter
// they type.

export const KEY_LAYOUTS = ['qwerty', 'qwertz', 'azerty', 'dvorak', 'colemak'] as const;
export type KeyLayout = (typeof KEY_LAYOUTS)[number];
/** `auto` guesses from the browser's language; `own` uses the keys chosen in the settings. */
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
  de: 'qwertz',
  cs: 'qwertz',
  sk: 'qwertz',
  hu: 'qwertz',
  sl: 'qwertz',
  hr: 'qwertz',
  fr: 'azerty',
};
/** Keys that already have a function at the table or in the browser. */
export const RESERVED: ReadonlySet<string> = new Set([' ', 'escape', 'enter', 'tab', 'backspace', '0', '8', '9', '?']);

/** The usual keyboard layout of a language. */
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

/** Keys by card place: the first three places are the first column of keys, and so on. */
export function layoutKeys(block: readonly string[]): string[] {
  return Array.from({ length: KEY_ROWS * KEY_COLUMNS }, (_, i) => at(block, i % KEY_ROWS, Math.floor(i / KEY_ROWS)));
}

/** 20/20 SET: keys of the centre, two rows of three at the left of the keyboard. */
export function centreKeys(block: readonly string[]): string[] {
  return Array.from({ length: 6 }, (_, i) => at(block, Math.floor(i / 3), i % 3));
}

/** 20/20 SET: keys of the viewer's own cards, three rows of three at the right. */
export function personalKeys(block: readonly string[]): string[] {
  return Array.from({ length: 9 }, (_, i) => at(block, Math.floor(i / 3), 4 + (i % 3)));
}

/** The key of an event in lower case; null for browser shortcuts and while the player types into a field. */
export function keyOf(event: KeyboardEvent): string | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return null;
  const target = event.target as Element | null;
  if (target?.closest?.('input, textarea, select, dialog')) return null;
  return event.key.toLowerCase();
}

/** Positions in a custom layout whose keys are duplicated or reserved. */
export function conflicts(own: readonly string[]): number[] {
  return own.flatMap((key, i) =>
    RESERVED.has(key) || own.indexOf(key) !== i || own.lastIndexOf(key) !== i ? [i] : [],
  );
}
