// Practice settings and times stored on this device. For a known person the page shows the server's times instead.

import type { PracticeTimes } from '../../generated/protocol.ts';
import type { Differing } from './soloApi.ts';
import { readStorage, writeStorage } from '../../lib/settings.svelte.ts';

const KEY = 'threefold.practice';
const VERSION = 1;

interface StoredPractice {
  version: number;
  differing: Differing;
  clock: boolean;
  times: Record<string, PracticeTimes>;
}
const DEFAULTS: StoredPractice = { version: VERSION, differing: 'any', clock: false, times: {} };

function readStored(): StoredPractice {
  const stored = readStorage<Partial<StoredPractice>>(KEY, {});
  return stored.version === VERSION ? { ...DEFAULTS, ...stored } : { ...DEFAULTS };
}

export const practice: StoredPractice = $state(readStored());

export function savePractice(change: Partial<Pick<StoredPractice, 'differing' | 'clock'>>): void {
  Object.assign(practice, change);
  writeStorage(KEY, practice);
}

/** Adds the time of a SET that was found without hints. */
export function addTime(differing: number, milliseconds: number): void {
  const before = practice.times[differing] ?? { count: 0, mean_ms: 0, best_ms: milliseconds };
  practice.times[differing] = {
    count: before.count + 1,
    mean_ms: Math.round((before.mean_ms * before.count + milliseconds) / (before.count + 1)),
    best_ms: Math.min(before.best_ms, milliseconds),
  };
  writeStorage(KEY, practice);
}
