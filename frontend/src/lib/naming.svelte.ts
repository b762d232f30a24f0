// What players and cards are called on this page.

import type { DesignShown, TableShown } from '../generated/protocol.ts';
import { SvelteMap } from 'svelte/reactivity';
import { api } from './api.ts';
import type { KarmaView } from './karma.ts';
import { markOf, type Designed, type Look } from './looks.ts';
import type { Json } from './texts.ts';
import { has, t } from './words.svelte.ts';

const BOTS = ['Alma', 'Bo', 'Cleo', 'Dara', 'Eno', 'Fay', 'Gil', 'Hana', 'Ivo', 'Juno', 'Kai', 'Lux'];

/** Bots get names, so that sentences about three of them can be told apart. */
export function botName(seat: number): string {
  return BOTS[seat % BOTS.length] ?? '';
}

export function playerNames(table: TableShown | null): string[] {
  return (table?.playing?.players ?? []).map((each) => (each.guest === null ? botName(each.seat) : each.name));
}

/** The same for a finished game, whose bots are known by their level. */
export function reviewNames(players: readonly { bot: boolean; seat: number; name: string }[]): string[] {
  return players.map((each) => (each.bot ? botName(each.seat) : each.name));
}

export function botLevel(bot: string): string {
  return has(`page.bot.${bot}`) ? t(`page.bot.${bot}`) : bot;
}

const designs = new SvelteMap<string, Designed | null>();

/** The card behind a code; null until the server has told it. */
export function designOf(code: string): Designed | null {
  const known = designs.get(code);
  if (known !== undefined) return known;
  queueMicrotask(() => void fetchDesign(code));
  return null;
}

async function fetchDesign(code: string): Promise<void> {
  if (designs.has(code)) return;
  designs.set(code, null);
  try {
    learn(await api.readDesign(code));
  } catch {
    designs.delete(code);
  }
}

export function learn(shown: DesignShown): void {
  designs.set(shown.code, shown.design as unknown as Designed);
}

/** Which codes stand for which cards at this table. */
export function designsIn(edition: Json, options: { [name: string]: Json }): { [card: string]: string } {
  const found: { [card: string]: string } = {};
  const own = options['create_your_karma'];
  if (typeof own === 'string' && own.startsWith('K1')) found['OWN'] = own;
  if (typeof edition === 'object' && edition !== null && !Array.isArray(edition)) {
    ((edition['designs'] ?? []) as { code: string }[]).forEach((each, i) => (found[`D${i + 1}`] = each.code));
  }
  return found;
}

export interface Looks {
  of: (card: string) => Look;
  names: { [card: string]: string };
}

export function cardLooks(view: Pick<KarmaView, 'edition' | 'options'>): Looks {
  const codes = designsIn(view.edition, view.options);
  const made = Object.fromEntries(Object.entries(codes).map(([card, code]) => [card, designOf(code)]));
  const names: { [card: string]: string } = {};
  for (const [card, design] of Object.entries(made)) if (design) names[card] = design.name;
  return {
    names,
    of: (card) => {
      const design = made[card] ?? null;
      const name = design?.name ?? (has(`card.${card}`) ? t(`card.${card}`) : card);
      const short = design?.name ?? (has(`page.short.${card}`) ? t(`page.short.${card}`) : name);
      return { name, short, picture: design?.picture ?? null, mark: markOf(card, design) };
    },
  };
}

/** What the pile asks for, in words. */
export function asksWords(wanted: KarmaView['asks_for']): string {
  if (wanted === null) return t('page.asks.anything');
  if (wanted.high >= 16) return t('page.asks.or_higher', { low: wanted.low });
  if (wanted.low <= 1) return t('page.asks.or_below', { high: wanted.high });
  return t('page.asks.range', wanted);
}
