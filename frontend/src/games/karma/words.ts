// Moves and questions of Karma in words.

import type { KarmaAwaited, KarmaView } from '../../generated/karma.ts';
import { hasText, t } from '../../lib/i18n.svelte.ts';
import type { CardAppearances } from './cardAppearances.svelte.ts';

/** A move as text, for the send button and the hint. */
export function moveInWords(move: string, cards: CardAppearances, names: readonly string[]): string {
  const [verb = '', ...rest] = move.split(' ');
  const name = (i: number): string => cards.of(rest[i] ?? '').name;
  if (move.startsWith('face up'))
    return t('page.move.face_up', {
      list: rest
        .slice(1)
        .map((each) => cards.of(each).name)
        .join(', '),
    });
  if (move.startsWith('give face down')) return t('page.move.give_face_down', { place: Number(rest[2]) });
  if (verb === 'play') return t('page.move.play', { n: rest.length, name: name(0) });
  if (verb === 'flip' || verb === 'peek') return t(`page.move.${verb}`, { place: Number(rest[0]) });
  if (verb === 'give') return t('page.move.give', { name: name(0) });
  if (verb === 'swap') return t('page.move.swap', { first: name(0), last: name(1) });
  if (verb === 'choose') return t('page.move.choose', { name: names[Number(rest[0])] ?? '' });
  return t(`page.move.${move.replaceAll(' ', '_')}`);
}

/** The question to the viewer. */
export function questionInWords(awaited: KarmaAwaited, view: KarmaView, asks: string): string {
  const flips = view.play_from === 'face_down';
  if (awaited.question === 'play') return flips ? t('page.prompt.flip') : t('page.prompt.play', { asks });
  if (awaited.question === 'table_card') return flips ? t('page.prompt.flip') : t('page.prompt.table_card');
  if (awaited.question !== 'choose') return t(`page.prompt.${awaited.question}`);
  const key = `page.prompt.choose.${awaited.power ?? ''}`;
  return hasText(key) ? t(key) : t('page.prompt.choose', { power: awaited.power ?? '' });
}
