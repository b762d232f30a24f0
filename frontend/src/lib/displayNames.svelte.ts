// Names of players and cards on this page, and the cache of designed cards.

import type { DesignShown, TableShown } from '../generated/protocol.ts';
import { SvelteMap } from 'svelte/reactivity';
import { api } from './api.ts';
import type { KarmaView } from '../games/karma/view.ts';
import { markOf, type CardDesign, type CardAppearance } from '../games/karma/cardAppearance.ts';
import type { Json } from './texts.ts';
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

const designs = new SvelteMap<string, CardDesign | null>();

/** The design with this code; null until the server has sent it. */
export function designOf(code: string): CardDesign | null {
  const design = designs.get(code);
  if (design !== undefined) return design;
  queueMicrotask(() => void fetchDesign(code));
  return null;
}

async function fetchDesign(code: string): Promise<void> {
  if (designs.has(code)) return;
  designs.set(code, null);
  try {
    cacheDesign(await api.readDesign(code));
  } catch {
    designs.delete(code);
  }
}

export function cacheDesign(shown: DesignShown): void {
  designs.set(shown.code, shown.design as unknown as CardDesign);
}

/** Design codes of this table by card code. */
export function designsIn(edition: Json, options: { [name: string]: Json }): { [card: string]: string } {
  const codes: { [card: string]: string } = {};
  const own = options['create_your_karma'];
  if (typeof own === 'string' && own.startsWith('K1')) codes['OWN'] = own;
  if (typeof edition === 'object' && edition !== null && !Array.isArray(edition)) {
    ((edition['designs'] ?? []) as { code: string }[]).forEach((each, i) => (codes[`D${i + 1}`] = each.code));
  }
  return codes;
}

export interface CardAppearances {
  of: (card: string) => CardAppearance;
  names: { [card: string]: string };
}

export function cardAppearances(view: Pick<KarmaView, 'edition' | 'options'>): CardAppearances {
  const codes = designsIn(view.edition, view.options);
  const designByCard = Object.fromEntries(Object.entries(codes).map(([card, code]) => [card, designOf(code)]));
  const names: { [card: string]: string } = {};
  for (const [card, design] of Object.entries(designByCard)) if (design) names[card] = design.name;
  return {
    names,
    of: (card) => {
      const design = designByCard[card] ?? null;
      const name = design?.name ?? (hasText(`card.${card}`) ? t(`card.${card}`) : card);
      const short = design?.name ?? (hasText(`page.short.${card}`) ? t(`page.short.${card}`) : name);
      return { name, short, picture: design?.picture ?? null, mark: markOf(card, design) };
    },
  };
}

/** The range that the pile asks for, as text. */
export function describeRequest(wanted: KarmaView['asks_for']): string {
  if (wanted === null) return t('page.asks.anything');
  if (wanted.high >= 16) return t('page.asks.or_higher', { low: wanted.low });
  if (wanted.low <= 1) return t('page.asks.or_below', { high: wanted.high });
  return t('page.asks.range', wanted);
}
