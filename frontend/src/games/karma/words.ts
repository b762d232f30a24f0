// Moves and questions of Karma in words.

import type { KarmaAwaited, KarmaEvent, KarmaView } from '../../generated/karma.ts';
import { hasText, t, translate } from '../../lib/i18n.svelte.ts';
import type { PlayModel } from './playModel.svelte.ts';

/** A move as text, for buttons and hints. */
export function moveInWords(
  move: string,
  { displayNames, view }: Pick<PlayModel, 'displayNames'> & { view: { viewer: number | null } },
): string {
  const [verb = '', ...rest] = move.split(' ');
  const first = rest[0] ?? '';
  const say = (name: string, parameters: { [name: string]: string | number | string[] } = {}): string =>
    translate({ key: `page.move.${name}`, parameters }, view.viewer, displayNames);
  if (move.startsWith('face up')) return say('face_up', { cards: rest.slice(1) });
  if (move.startsWith('give face down')) return say('give_face_down', { place: Number(rest[2]) });
  switch (verb) {
    case 'play':
      return say('play', { card: first, count: rest.length });
    case 'flip':
    case 'peek':
      return say(verb, { place: Number(first) });
    case 'give':
      return say('give', { card: first });
    case 'swap':
      return say('swap', { up: first, hand: rest[1] ?? '' });
    case 'choose':
      return say('choose', { name: displayNames.players[Number(first)] ?? '' });
    default:
      return say(move.replaceAll(' ', '_'));
  }
}

/** The question to the viewer; `asks` is what the pile asks for, where the words have to say that, too. */
export function questionInWords(awaited: KarmaAwaited, view: KarmaView, asks = ''): string {
  const flips = view.play_from === 'face_down';
  if (awaited.question === 'play' && !flips) return asks ? t('page.prompt.play', { asks }) : t('page.turn.title');
  if (awaited.question === 'play') return t('page.prompt.flip');
  if (awaited.question === 'table_card') return flips ? t('page.prompt.flip') : t('page.prompt.table_card');
  if (awaited.question !== 'choose') return t(`page.prompt.${awaited.question}`);
  const key = `page.prompt.choose.${awaited.power ?? ''}`;
  return hasText(key) ? t(key) : t('page.prompt.choose', { power: awaited.power ?? '' });
}

/** What a player does, in a few words for the seat; empty if the cards say enough. */
export function deedInWords(
  event: KarmaEvent | undefined,
  { displayNames, view }: Pick<PlayModel, 'displayNames' | 'view'>,
): string {
  if (event === undefined) return '';
  const n = 'cards' in event ? (event.cards?.length ?? 0) : 0;
  return translate({ key: `page.deed.${event.event}`, parameters: { ...event, n } }, view.viewer, displayNames);
}
