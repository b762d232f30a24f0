// Names of players on this page.

import type { TableShown } from '../generated/protocol.ts';
import { hasText, t } from './i18n.svelte.ts';

const BOTS = ['Alma', 'Bo', 'Cleo', 'Dara', 'Eno', 'Fay', 'Gil', 'Hana', 'Ivo', 'Juno', 'Kai', 'Lux'];

/** Bots have names, so that sentences about several bots stay clear. */
export function botName(seat: number): string {
  return BOTS[seat % BOTS.length] ?? '';
}

export function playerNames(table: TableShown | null): string[] {
  return (table?.playing?.players ?? []).map((each) => (each.guest === null ? botName(each.seat) : each.name));
}

/** Player names of a finished game; its records name bots by level. */
export function finishedGameNames(players: readonly { bot: boolean; seat: number; name: string }[]): string[] {
  return players.map((each) => (each.bot ? botName(each.seat) : each.name));
}

export function botLevel(bot: string): string {
  return hasText(`page.bot.${bot}`) ? t(`page.bot.${bot}`) : bot;
}
