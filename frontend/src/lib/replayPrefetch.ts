// Requests a replay before the code of the replay page is loaded.

import type { ReplayShown } from '../generated/protocol.ts';
import { api } from './api.ts';

const prefetched = new Map<string, Promise<ReplayShown>>();

function cacheKey(game: string, seat: number | null): string {
  return `${game}/${seat ?? 'open'}`;
}

/** Starts the request; `fetchReplay` returns its result later. */
export function prefetchReplay({ id, seat }: { id: string; seat: number | null }): void {
  const request = api.replay(id, seat === null ? 'open' : String(seat));
  request.catch(() => undefined); // `fetchReplay` reports the error
  prefetched.set(cacheKey(id, seat), request);
}

/** A replay as one player saw it, or with all cards open (null). */
export function fetchReplay(game: string, seat: number | null): Promise<ReplayShown> {
  const replay = prefetched.get(cacheKey(game, seat));
  prefetched.delete(cacheKey(game, seat));
  return replay ?? api.replay(game, seat === null ? 'open' : String(seat));
}
