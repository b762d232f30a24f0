// Loads the text catalogue of the reader's language; `t` and `translate` format its sentences.

import { settings } from './settings.svelte.ts';
import { formatText, type Catalogue, type Names, NO_NAMES, type Parameters, type Text } from './texts.ts';

export const LANGUAGES = ['en', 'de', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

type PartLoader = () => Promise<{ default: unknown }>;
const BASE_PARTS = import.meta.glob<{ default: unknown }>(
  '../../../src/threefold/texts/*/{common,karma,live,page}.json',
);
/** Parts of the catalogue that are loaded when a place needs them. */
const LAZY_PARTS = {
  set: import.meta.glob<{ default: unknown }>('../../../src/threefold/texts/*/{set,settable}.json'),
  operator: import.meta.glob<{ default: unknown }>('../../../src/threefold/texts/*/operator.json'),
  alone: import.meta.glob<{ default: unknown }>('../../../src/threefold/texts/*/alone.json'),
  replay: import.meta.glob<{ default: unknown }>('../../../src/threefold/texts/*/replay.json'),
};
export type LazyPart = keyof typeof LAZY_PARTS;

const loaded: { language: Language; catalogue: Catalogue } = $state({ language: 'en', catalogue: {} });

/** The language of the settings, or the first available one of the browser's languages. */
export function preferredLanguage(): Language {
  if (settings.language !== 'auto') return settings.language;
  for (const each of navigator.languages) {
    const available = LANGUAGES.find((language) => each.toLowerCase().startsWith(language));
    if (available) return available;
  }
  return 'en';
}

async function readParts(parts: Record<string, PartLoader>, language: Language): Promise<Catalogue> {
  const chosen = Object.entries(parts).filter(([path]) => path.includes(`/${language}/`));
  const catalogues = await Promise.all(chosen.map(async ([, part]) => (await part()).default as Catalogue));
  return Object.assign({}, ...catalogues) as Catalogue;
}

async function readWithFallback(parts: Record<string, PartLoader>, language: Language): Promise<Catalogue> {
  const [english, own] = await Promise.all([
    readParts(parts, 'en'),
    language === 'en' ? {} : readParts(parts, language),
  ]);
  return { ...english, ...own };
}

/** The parts requested so far; `loadLanguage` loads them for the new language, too. */
const requested = new Map<LazyPart, Promise<void>>();

/** Loads a language; missing sentences stay in English. */
export async function loadLanguage(language: Language): Promise<void> {
  const parts = await Promise.all(
    [BASE_PARTS, ...[...requested.keys()].map((each) => LAZY_PARTS[each])].map((each) =>
      readWithFallback(each, language),
    ),
  );
  loaded.catalogue = Object.assign({}, ...parts) as Catalogue;
  loaded.language = language;
  document.documentElement.lang = language;
}

/** Loads a part of the catalogue once. Languages chosen later include it. */
export function loadTexts(part: LazyPart): Promise<void> {
  const earlier = requested.get(part);
  if (earlier) return earlier;
  const loading = readWithFallback(LAZY_PARTS[part], loaded.language).then((catalogue) => {
    loaded.catalogue = { ...loaded.catalogue, ...catalogue };
  });
  requested.set(part, loading);
  return loading;
}

/** Loads the sentences of SET. */
export function loadSetTexts(): Promise<void> {
  return loadTexts('set');
}

/** Formats a sentence by its key. */
export function t(key: string, parameters: Parameters = {}): string {
  return formatText({ key, parameters }, loaded.catalogue);
}

/** Formats a text of the server for one viewer, with the names at this table. */
export function translate(text: Text, viewer: number | null = null, names: Names = NO_NAMES): string {
  return formatText(text, loaded.catalogue, viewer, names);
}

export function hasText(key: string): boolean {
  return key in loaded.catalogue;
}

export function language(): Language {
  return loaded.language;
}
