// Loads the rules pages of docs/rules, which are built into the page as separate files.

import { readRules, type GameName, type Rules } from './rules.ts';

const TEXTS = import.meta.glob<string>('../../../docs/rules/{karma,set}.md', { query: '?raw', import: 'default' });

const loaded = new Map<GameName, Promise<Rules>>();

/** The rules of a game, loaded once. */
export function loadRules(game: GameName): Promise<Rules> {
  let rules = loaded.get(game);
  if (rules === undefined) {
    const load = Object.entries(TEXTS).find(([path]) => path.endsWith(`/${game}.md`))?.[1];
    rules = (load?.() ?? Promise.resolve('')).then(readRules);
    loaded.set(game, rules);
  }
  return rules;
}
