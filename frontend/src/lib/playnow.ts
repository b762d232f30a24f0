// A table in one tap, against bots or alone.

import { api } from './api.ts';
import { introduce } from './person.svelte.ts';
import { go } from './route.svelte.ts';
import { settings } from './settings.svelte.ts';

export type Now = 'karma' | 'set' | 'solitaire';

const TABLES = {
  karma: () => ({ game: 'karma', edition: 'classic', seats: 4, bots: ['careful', 'careful', 'careful'], start: true }),
  set: () => ({ game: 'set', variant: 'full', seats: 3, bots: [settings.setBots, settings.setBots], start: true }),
  solitaire: () => ({ game: 'set', variant: 'solitaire', seats: 1, start: true }),
};

export async function playNow(game: Now): Promise<void> {
  await introduce();
  go((await api.makeTable(TABLES[game]())).path);
}
