// The registry of games: every folder beside this file with a `kit.ts`. Nothing else on the page knows a game by name.

import type { Place } from '../places.ts';
import { PLAIN_KIT, type GameKit, type OwnKit } from './kit.ts';

const MODULES = import.meta.glob<{ kit: OwnKit }>('./*/kit.ts', { eager: true });

/** All games, in the order of their folders. */
export const GAMES: readonly GameKit[] = Object.values(MODULES).map((each) => ({ ...PLAIN_KIT, ...each.kit }));

/** The places that games bring. */
export const GAME_PLACES: readonly Place[] = GAMES.flatMap((each) => each.places);

export function isGame(name: string): boolean {
  return GAMES.some((each) => each.name === name);
}

/** The kit of a game. */
export function kitOf(name: string): GameKit {
  const kit = GAMES.find((each) => each.name === name);
  if (kit === undefined) throw new Error(`no game is called ${name}`);
  return kit;
}

/** The game whose rules contain a clause, or null. */
export function gameOfClause(clause: string): GameKit | null {
  return GAMES.find((each) => each.rules?.letters.includes(clause.charAt(0))) ?? null;
}
