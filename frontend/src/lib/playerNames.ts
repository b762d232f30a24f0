// Names of players on this page.

import type { TableShown } from '../generated/protocol.ts';
import { hasText, t } from './i18n.svelte.ts';

export function playerNames(table: TableShown | null): string[] {
  return namesOf(table?.playing?.players ?? []);
}

export function namesOf(players: readonly { name: string }[]): string[] {
  return players.map((each) => each.name);
}

export function botLevel(bot: string): string {
  return hasText(`page.bot.${bot}`) ? t(`page.bot.${bot}`) : bot;
}
