// Starts a game in one tap, against bots or alone.

import { kitOf } from '../games/index.ts';
import type { QuickGame } from '../games/kit.ts';
import { api } from './api.ts';
import { ensurePerson } from './person.svelte.ts';
import { go } from './router.svelte.ts';

export async function startQuickGame(game: string, quick: QuickGame = kitOf(game).quickGames[0]): Promise<void> {
  await ensurePerson();
  go((await api.makeTable({ game, ...quick.table() })).path);
}
