// Progress of daily puzzles stored on this device, and the standing from the server, which decides streaks.

import type { PuzzleStanding } from '../../generated/protocol.ts';
import { soloApi, type PuzzleKind } from './soloApi.ts';
import { person } from '../../lib/person.svelte.ts';
import { readStorage, writeStorage } from '../../lib/settings.svelte.ts';
import { computeStanding } from './streak.ts';

const KEY = 'threefold.daily';
const VERSION = 1;

export interface Progress {
  /** When the puzzle was first opened, by the server's clock, and the server's signature of it. */
  began: number;
  token: string;
  found: string[][];
  /** For each found SET: the time since `began` in milliseconds. Empty if another device found them. */
  times: number[];
  /** For each found SET: the wrong tries before it, since the SET before. */
  misses: number[];
  wrong: number;
  milliseconds: number | null;
}
interface StoredProgress {
  version: number;
  puzzles: { [name: string]: Omit<Progress, 'times' | 'misses'> & Partial<Progress> };
}

function readStored(): StoredProgress {
  const stored = readStorage<Partial<StoredProgress>>(KEY, {});
  return stored.version === VERSION && stored.puzzles
    ? { version: VERSION, puzzles: stored.puzzles }
    : { version: VERSION, puzzles: {} };
}

const stored: StoredProgress = $state(readStored());
/** The standing from the server; null until it is loaded. */
const server: { kinds: Record<string, PuzzleStanding> | null } = $state({ kinds: null });

const storageName = (kind: PuzzleKind, day: string): string => `${kind} ${day}`;

export function progressOf(kind: PuzzleKind, day: string): Progress | null {
  const progress = stored.puzzles[storageName(kind, day)];
  // Progress of an older page has no times.
  return progress === undefined ? null : { ...progress, times: progress.times ?? [], misses: progress.misses ?? [] };
}

export function saveProgress(kind: PuzzleKind, day: string, progress: Progress): void {
  stored.puzzles[storageName(kind, day)] = progress;
  writeStorage(KEY, stored);
}

/** Loads the standing; if that fails, this device's results are used. */
export async function fetchStanding(): Promise<void> {
  if (!person.known) return;
  try {
    server.kinds = (await soloApi.myPuzzles()).kinds;
  } catch {
    server.kinds = null;
  }
}

/** My results in one kind of puzzle: from the server, or from this device for an unknown person. */
export function standingOf(kind: PuzzleKind, today: string): PuzzleStanding {
  return server.kinds?.[kind] ?? localStanding(kind, today);
}

function localStanding(kind: PuzzleKind, today: string): PuzzleStanding {
  const solved = Object.entries(stored.puzzles)
    .filter(([name, each]) => name.startsWith(`${kind} `) && each.milliseconds !== null)
    .map(([name, each]) => ({ day: name.slice(kind.length + 1), began: each.began, ms: each.milliseconds ?? 0 }));
  return computeStanding(solved, today);
}

/** State of a puzzle: its solving time if solved, and the number of SETs found; null if never opened. */
export function puzzleState(kind: PuzzleKind, day: string): { milliseconds: number | null; found: number } | null {
  const solved = server.kinds?.[kind]?.days[day];
  const progress = progressOf(kind, day);
  if (solved !== undefined) return { milliseconds: solved, found: progress?.found.length ?? 0 };
  return progress === null ? null : { milliseconds: progress.milliseconds, found: progress.found.length };
}
