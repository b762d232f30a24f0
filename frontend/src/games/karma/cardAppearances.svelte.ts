// How the cards of a table look, and the cache of designed cards.

import { SvelteMap } from 'svelte/reactivity';
import type { GameView } from '../../generated/games.ts';
import {
  CARDS,
  CREATE_YOUR_KARMA,
  DESIGN_CODE,
  HIGHEST_NUMBER,
  IDEAS_IN_WORDS,
  type CardDesign,
  type KarmaView,
} from '../../generated/karma.ts';
import type { DesignShown } from '../../generated/protocol.ts';
import { api } from '../../lib/api.ts';
import { hasText, t, translate } from '../../lib/i18n.svelte.ts';
import type { Text } from '../../lib/texts.ts';
import { markOf, type CardAppearance } from './cardAppearance.ts';
import { designInWords } from './designs.ts';
import { isNumber } from './view.ts';

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
  designs.set(shown.code, shown.design);
}

/** Design codes of this table by card code. */
export function designsIn({ edition, options }: Pick<KarmaView, 'edition' | 'options'>): { [card: string]: string } {
  const codes: { [card: string]: string } = {};
  const own = options.create_your_karma;
  if (own?.startsWith(DESIGN_CODE)) codes[CREATE_YOUR_KARMA] = own;
  if (typeof edition === 'object') (edition.designs ?? []).forEach((each, i) => (codes[`D${i + 1}`] = each.code));
  return codes;
}

export interface CardAppearances {
  of: (card: string) => CardAppearance;
  /** What a card does, in sentences. */
  effectOf: (card: string) => string;
  names: { [card: string]: string };
}

export function cardAppearances(view: Pick<KarmaView, 'edition' | 'options'>): CardAppearances {
  const codes = designsIn(view);
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
    effectOf: (card) => {
      if (isNumber(card)) return t('page.look.number', { n: Number(card) });
      const design = designByCard[card] ?? null;
      const idea = card === CREATE_YOUR_KARMA ? IDEAS_IN_WORDS[view.options.create_your_karma ?? ''] : undefined;
      const printed = CARDS.find((each) => each.code === card)?.words ?? [];
      const words: Text[] = design === null ? (idea ?? printed) : designInWords(design);
      return words.map((each) => translate(each)).join(' ');
    },
  };
}

/** The range that the pile asks for, as text. */
export function describeRequest(wanted: KarmaView['asks_for']): string {
  if (wanted === null) return t('page.asks.anything');
  if (wanted.high >= HIGHEST_NUMBER) return t('page.asks.or_higher', { low: wanted.low });
  if (wanted.low <= 1) return t('page.asks.or_below', { high: wanted.high });
  return t('page.asks.range', wanted);
}

/** Names of the designed cards of a game; every other card is in the catalogue. */
export function cardNames(view: GameView): { [card: string]: string } {
  return 'edition' in view ? cardAppearances(view).names : {};
}
