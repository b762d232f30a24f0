// Names of players on this page.

import type { TableShown } from '../generated/protocol.ts';

export function playerNames(table: TableShown | null): string[] {
  return namesOf(table?.playing?.players ?? []);
}

export function namesOf(players: readonly { name: string }[]): string[] {
  return players.map((each) => each.name);
}
