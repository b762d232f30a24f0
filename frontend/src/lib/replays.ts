// Replays that were asked for before the page that shows them was there.

import type { ReplayShown } from '../generated/protocol.ts';
import { api } from './api.ts';

const asked = new Map<string, Promise<ReplayShown>>();

function name(game: string, seat: number | null): string {
  return `${game}/${seat ?? 'open'}`;
}

/** Asks for a replay; whoever fetches it later gets this answer. */
export function early(game: string, seat: number | null): void {
  const coming = api.replay(game, seat === null ? 'open' : String(seat));
  coming.catch(() => undefined); // whoever fetches it is told
  asked.set(name(game, seat), coming);
}

/** A replay as one player saw it, or with all cards open. */
export function fetchReplay(game: string, seat: number | null): Promise<ReplayShown> {
  const known = asked.get(name(game, seat));
  asked.delete(name(game, seat));
  return known ?? api.replay(game, seat === null ? 'open' : String(seat));
}
