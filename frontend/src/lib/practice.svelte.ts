// Practice on this device: what is trained, whether a clock is wanted, and my times. For somebody the server knows, its own count.

import type { PracticeTimes } from '../generated/protocol.ts';
import type { Differing } from './alone.ts';
import { recall, remember } from './settings.svelte.ts';

const KEY = 'threefold.practice';
const VERSION = 1;

interface Kept {
  version: number;
  differing: Differing;
  clock: boolean;
  times: Record<string, PracticeTimes>;
}
const FRESH: Kept = { version: VERSION, differing: 'any', clock: false, times: {} };

function restore(): Kept {
  const kept = recall<Partial<Kept>>(KEY, {});
  return kept.version === VERSION ? { ...FRESH, ...kept } : { ...FRESH };
}

export const practice: Kept = $state(restore());

export function setPractice(change: Partial<Pick<Kept, 'differing' | 'clock'>>): void {
  Object.assign(practice, change);
  remember(KEY, practice);
}

/** One more SET found without help. */
export function addTime(differing: number, milliseconds: number): void {
  const before = practice.times[differing] ?? { count: 0, mean_ms: 0, best_ms: milliseconds };
  practice.times[differing] = {
    count: before.count + 1,
    mean_ms: Math.round((before.mean_ms * before.count + milliseconds) / (before.count + 1)),
    best_ms: Math.min(before.best_ms, milliseconds),
  };
  remember(KEY, practice);
}
