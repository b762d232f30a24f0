// The choices of the last table that was made on this device, for each game.

import type { Plan } from '../games/kit.ts';
import { readStorage, writeStorage } from './settings.svelte.ts';

export interface Choices {
  plan: Plan;
  bots: number;
  /** The names of the bots; missing in choices of an earlier version. */
  cast?: string[];
}

const key = (game: string): string => `threefold.choices.${game}`;

export function lastChoices(game: string): Choices | null {
  return readStorage<Choices | null>(key(game), null);
}

export function rememberChoices(game: string, choices: Choices): void {
  writeStorage(key(game), choices);
}
