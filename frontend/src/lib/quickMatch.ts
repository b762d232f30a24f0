// Looks for somebody to play with, and opens the table where both sit or where this player waits.

import { api } from './api.ts';
import { ensurePerson } from './person.svelte.ts';
import { go } from './router.svelte.ts';

export async function startQuickMatch(game: string): Promise<void> {
  await ensurePerson();
  go((await api.findMatch(game)).path);
}
