// The choices of the last table that was made on this device, for each game.

import type { Plan } from '../games/kit.ts';
import { readStorage, writeStorage } from './settings.svelte.ts';

export interface Choices {
  plan: Plan;
  bots: number;
  /** The level of the bots. */
  level: string;
}

const key = (game: string): string => `threefold.choices.${game}`;

export function lastChoices(game: string): Choices | null {
  return readStorage<Choices | null>(key(game), null);
}

export function rememberChoices(game: string, choices: Choices): void {
  writeStorage(key(game), choices);
}
