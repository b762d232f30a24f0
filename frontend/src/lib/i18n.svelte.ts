// Loads the text catalogue of the reader's language; `t` and `translate` format its sentences.

import { LANGUAGES, type Language } from '../generated/texts.ts';
import { settings } from './settings.svelte.ts';
import { formatText, type Catalogue, type Names, NO_NAMES, type Parameters, type Text } from './texts.ts';

type FileLoader = () => Promise<{ default: unknown }>;
/** One file per language and part of the catalogue; a game outside it brings its own part in its folder. */
const FILES: { [path: string]: FileLoader | undefined } = import.meta.glob<{ default: unknown }>([
  '../../../src/threefold/texts/*/*.json',
  '../games/*/texts/*.json',
]);
const OWN_PARTS = Object.keys(FILES).flatMap((path) => /^\.\.\/games\/(\w+)\//.exec(path)?.[1] ?? []);
/** The parts that every visit needs; places and games name the others. */
const BASE_PARTS = ['common', 'live', 'page', ...new Set(OWN_PARTS)];
const FALLBACK: Language = 'en';

const loaded: { language: Language; catalogue: Catalogue } = $state({ language: FALLBACK, catalogue: {} });

/** The language of the settings, or the first available one of the browser's languages. */
export function preferredLanguage(): Language {
  if (settings.language !== 'auto') return settings.language;
  for (const each of navigator.languages) {
    const available = LANGUAGES.find((language) => each.toLowerCase().startsWith(language));
    if (available) return available;
  }
  return FALLBACK;
}

async function readPart(part: string, language: Language): Promise<Catalogue> {
  const load =
    FILES[`../../../src/threefold/texts/${language}/${part}.json`] ?? FILES[`../games/${part}/texts/${language}.json`];
  return load === undefined ? {} : ((await load()).default as Catalogue);
}

async function readWithFallback(part: string, language: Language): Promise<Catalogue> {
  const [english, own] = await Promise.all([
    readPart(part, FALLBACK),
    language === FALLBACK ? {} : readPart(part, language),
  ]);
  return { ...english, ...own };
}

/** The parts requested so far; `loadLanguage` loads them for the new language, too. */
// eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing on the screen depends on it
const requested = new Map<string, Promise<void>>();

/** Loads a language; missing sentences stay in English. */
export async function loadLanguage(language: Language): Promise<void> {
  const parts = await Promise.all([...BASE_PARTS, ...requested.keys()].map((each) => readWithFallback(each, language)));
  loaded.catalogue = Object.assign({}, ...parts) as Catalogue;
  loaded.language = language;
  document.documentElement.lang = language;
}

/** Loads parts of the catalogue, unless they are loaded; languages chosen later include them. */
export async function loadTexts(...parts: readonly string[]): Promise<void> {
  await Promise.all(
    parts.map((part) => {
      const earlier = requested.get(part);
      if (earlier) return earlier;
      const loading = readWithFallback(part, preferredLanguage()).then((catalogue) => {
        loaded.catalogue = { ...loaded.catalogue, ...catalogue };
      });
      requested.set(part, loading);
      return loading;
    }),
  );
}

/** Formats a sentence by its key. */
export function t(key: string, parameters: Parameters = {}): string {
  return formatText({ key, parameters }, loaded.catalogue, loaded.language);
}

/** Formats a text of the server for one viewer, with the names at this table. */
export function translate(text: Text, viewer: number | null = null, names: Names = NO_NAMES): string {
  return formatText(text, loaded.catalogue, loaded.language, viewer, names);
}

export function hasText(key: string): boolean {
  return key in loaded.catalogue;
}

export function language(): Language {
  return loaded.language;
}
