// The catalogue of the reader's language, and `t`, which says a sentence of it.

import { settings } from './settings.svelte.ts';
import { say, type Catalogue, type Names, NOBODY, type Parameters, type Text } from './texts.ts';

export const LANGUAGES = ['en', 'de', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

type Part = () => Promise<{ default: unknown }>;
const BASE = import.meta.glob<{ default: unknown }>('../../../src/threefold/texts/*/{common,karma,live,page}.json');
/** Sentences that are fetched when a place needs them. */
const LATER = {
  set: import.meta.glob<{ default: unknown }>('../../../src/threefold/texts/*/{set,settable}.json'),
  operator: import.meta.glob<{ default: unknown }>('../../../src/threefold/texts/*/operator.json'),
  alone: import.meta.glob<{ default: unknown }>('../../../src/threefold/texts/*/alone.json'),
  replay: import.meta.glob<{ default: unknown }>('../../../src/threefold/texts/*/replay.json'),
};
export type Later = keyof typeof LATER;

const loaded: { language: Language; catalogue: Catalogue } = $state({ language: 'en', catalogue: {} });

/** The language asked for in the settings, or the first of the browser's that there is. */
export function wantedLanguage(): Language {
  if (settings.language !== 'auto') return settings.language;
  for (const each of navigator.languages) {
    const found = LANGUAGES.find((language) => each.toLowerCase().startsWith(language));
    if (found) return found;
  }
  return 'en';
}

async function read(parts: Record<string, Part>, language: Language): Promise<Catalogue> {
  const chosen = Object.entries(parts).filter(([path]) => path.includes(`/${language}/`));
  const found = await Promise.all(chosen.map(async ([, part]) => (await part()).default as Catalogue));
  return Object.assign({}, ...found) as Catalogue;
}

async function inBoth(parts: Record<string, Part>, language: Language): Promise<Catalogue> {
  const [english, own] = await Promise.all([read(parts, 'en'), language === 'en' ? {} : read(parts, language)]);
  return { ...english, ...own };
}

/** The parts that were wanted so far; languages chosen later bring them along. */
const wanted = new Map<Later, Promise<void>>();

/** Fetches a language; what it lacks is said in English. */
export async function loadLanguage(language: Language): Promise<void> {
  const parts = await Promise.all([BASE, ...[...wanted.keys()].map((each) => LATER[each])].map((each) => inBoth(each, language)));
  loaded.catalogue = Object.assign({}, ...parts) as Catalogue;
  loaded.language = language;
  document.documentElement.lang = language;
}

/** Fetches sentences that the first page does without. Once is enough, also for languages chosen later. */
export function loadWords(part: Later): Promise<void> {
  const known = wanted.get(part);
  if (known) return known;
  const coming = inBoth(LATER[part], loaded.language).then((found) => {
    loaded.catalogue = { ...loaded.catalogue, ...found };
  });
  wanted.set(part, coming);
  return coming;
}

/** Fetches the sentences of SET, which Karma does without. */
export function loadSet(): Promise<void> {
  return loadWords('set');
}

/** A sentence of the page. */
export function t(key: string, parameters: Parameters = {}): string {
  return say({ key, parameters }, loaded.catalogue);
}

/** A sentence about a table, for one of the people at it. */
export function tell(text: Text, viewer: number | null = null, names: Names = NOBODY): string {
  return say(text, loaded.catalogue, viewer, names);
}

export function has(key: string): boolean {
  return key in loaded.catalogue;
}

export function language(): Language {
  return loaded.language;
}
