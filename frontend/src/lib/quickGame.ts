// Starts a game in one tap, against bots or solitaire.

import { api } from './api.ts';
import { ensurePerson } from './person.svelte.ts';
import { go } from './router.svelte.ts';
import { settings } from './settings.svelte.ts';

export type QuickGame = 'karma' | 'set' | 'solitaire';

const TABLES = {
  karma: () => ({ game: 'karma', edition: 'classic', seats: 4, bots: ['careful', 'careful', 'careful'], start: true }),
  set: () => ({ game: 'set', variant: 'full', seats: 3, bots: [settings.setBots, settings.setBots], start: true }),
  solitaire: () => ({ game: 'set', variant: 'solitaire', seats: 1, start: true }),
};

export async function startQuickGame(game: QuickGame): Promise<void> {
  await ensurePerson();
  go((await api.makeTable(TABLES[game]())).path);
}
