// Guides to the rules: the request for one, and the address of the one to a table.

import type { GameKit } from '../games/kit.ts';
import type { GuideShown } from '../generated/protocol.ts';
import type { Json } from '../generated/texts.ts';
import { addressOf } from '../places.ts';
import { call } from './api.ts';

/** The guide to a way to play; with the set-up of a table, to what that table plays. */
export function readGuide(game: string, way: string, setup: string | null): Promise<GuideShown> {
  const query = setup === null ? '' : `?${new URLSearchParams({ setup }).toString()}`;
  return call<GuideShown>('GET', `/api/guides/${game}/${encodeURIComponent(way)}${query}`);
}

/** A way to play that is no name: an edition that the people at the table filled in. */
const OWN_WAY = 'house';

/** The guide to what a table plays: its edition or variant, with its options. */
export function tableGuide(kit: GameKit, setup: { [name: string]: Json | undefined }, table: string): string {
  const way = setup[kit.wayField] ?? kit.newTable(null).way;
  const played = { [kit.wayField]: way, options: setup['options'] };
  return addressOf(
    'guide',
    { game: kit.name, way: typeof way === 'string' ? way : OWN_WAY },
    { setup: JSON.stringify(played), table },
  );
}
