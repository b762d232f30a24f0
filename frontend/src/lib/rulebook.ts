// Where the rules come from: the pages of docs/rules, built into the page and fetched when somebody looks.

import { readRules, type GameName, type Rules } from './rules.ts';

const TEXTS = import.meta.glob<string>('../../../docs/rules/{karma,set}.md', { query: '?raw', import: 'default' });

const read = new Map<GameName, Promise<Rules>>();

/** The rules of a game; fetched once. */
export function rulesOf(game: GameName): Promise<Rules> {
  let found = read.get(game);
  if (found === undefined) {
    const fetched = Object.entries(TEXTS).find(([path]) => path.endsWith(`/${game}.md`))?.[1];
    found = (fetched?.() ?? Promise.resolve('')).then(readRules);
    read.set(game, found);
  }
  return found;
}
