// Daily puzzles on this device: what is found so far, since when, and the result. What counts for streaks is the server's.

import type { PuzzleStanding } from '../generated/protocol.ts';
import { alone, type Kind } from './alone.ts';
import { person } from './person.svelte.ts';
import { recall, remember } from './settings.svelte.ts';
import { standing } from './streak.ts';

const KEY = 'threefold.daily';
const VERSION = 1;

export interface Progress {
  /** The first look, by the server's clock, and the server's signed word for it. */
  began: number;
  token: string;
  found: string[][];
  /** In how many features each SET found differs. */
  differing: number[];
  wrong: number;
  milliseconds: number | null;
}
interface Kept {
  version: number;
  puzzles: { [name: string]: Progress };
}

function restore(): Kept {
  const kept = recall<Partial<Kept>>(KEY, {});
  return kept.version === VERSION && kept.puzzles ? { version: VERSION, puzzles: kept.puzzles } : { version: VERSION, puzzles: {} };
}

const kept: Kept = $state(restore());
/** How I stand by the server, once it was asked. */
const mine: { kinds: Record<string, PuzzleStanding> | null } = $state({ kinds: null });

const nameOf = (kind: Kind, day: string): string => `${kind} ${day}`;

export function progressOf(kind: Kind, day: string): Progress | null {
  return kept.puzzles[nameOf(kind, day)] ?? null;
}

export function keepProgress(kind: Kind, day: string, progress: Progress): void {
  kept.puzzles[nameOf(kind, day)] = progress;
  remember(KEY, kept);
}

/** Asks the server how I stand; without an answer what this device knows will do. */
export async function fetchStanding(): Promise<void> {
  if (!person.known) return;
  try {
    mine.kinds = (await alone.myPuzzles()).kinds;
  } catch {
    mine.kinds = null;
  }
}

/** My results in one kind: the server's, or, where nobody knows me, this device's. */
export function standingOf(kind: Kind, today: string): PuzzleStanding {
  return mine.kinds?.[kind] ?? onDevice(kind, today);
}

function onDevice(kind: Kind, today: string): PuzzleStanding {
  const solved = Object.entries(kept.puzzles)
    .filter(([name, each]) => name.startsWith(`${kind} `) && each.milliseconds !== null)
    .map(([name, each]) => ({ day: name.slice(kind.length + 1), began: each.began, ms: each.milliseconds ?? 0 }));
  return standing(solved, today);
}

/** Where a puzzle stands: solved in so many milliseconds, so many SETs found, or not looked at (null). */
export function stateOf(kind: Kind, day: string): { milliseconds: number | null; found: number } | null {
  const solved = mine.kinds?.[kind]?.days[day];
  const progress = progressOf(kind, day);
  if (solved !== undefined) return { milliseconds: solved, found: progress?.found.length ?? 0 };
  return progress === null ? null : { milliseconds: progress.milliseconds, found: progress.found.length };
}
