// Bots as people know them: who comes to a table, and how strong they are. A game without characters offers its bots.

import { CHARACTERS, LEVELS, type Character } from '../generated/characters.ts';

export function castOf(game: string, bots: readonly string[] = []): readonly Character[] {
  return CHARACTERS[game] ?? bots.map((level) => ({ name: level, level }));
}

/** How strong a level is among those of its game, from 1 up; null if the game has no levels. */
export function strengthOf(game: string, level: string): { n: number; most: number } | null {
  const levels = LEVELS[game] ?? [];
  const n = levels.indexOf(level) + 1;
  return n === 0 ? null : { n, most: levels.length };
}

/**
 * The names of this many bots: the chosen ones, then those nearest to the last of them in strength, the weaker ones
 * first. A level of an earlier version stands for its character. Fewer than asked for, if the cast is smaller.
 */
export function castFor(game: string, cast: readonly Character[], chosen: readonly string[], n: number): string[] {
  const kept = new Set<Character>();
  for (const each of chosen) {
    const character = cast.find(({ name, level }) => name === each || level === each);
    if (character && kept.size < n) kept.add(character);
  }
  const strength = ({ level }: Character): number => strengthOf(game, level)?.n ?? 0;
  const last = [...kept].at(-1);
  const from = last ? strength(last) : 0;
  const others = cast
    .filter((each) => !kept.has(each))
    .sort((a, b) => Math.abs(strength(a) - from) - Math.abs(strength(b) - from));
  return [...kept, ...others].slice(0, n).map(({ name }) => name);
}

/** Adds a character to those at a table or takes it away; if all seats are taken, the first one makes room. */
export function togglePick(picked: readonly string[], name: string, seats: number): string[] {
  return picked.includes(name) ? picked.filter((each) => each !== name) : [...picked, name].slice(-seats);
}
