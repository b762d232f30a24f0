// What a table asks its viewer, and whom it waits for, in words.

import { t, translate } from '../../lib/i18n.svelte.ts';
import { describeRequest } from './cardAppearances.svelte.ts';
import type { PlayModel } from './playModel.svelte.ts';
import { questionInWords } from './words.ts';

/** The prompt. While cards move it says whose turn the screen shows. */
export function promptOf(model: PlayModel, paused: boolean): string {
  const { view, latest } = model;
  if (paused) return t('page.table.paused');
  if (!model.settled) return view.turn === null || view.turn === view.viewer ? '' : waitingFor(model, [view.turn]);
  if (latest.ending) return t('page.table.over');
  if (model.awaited !== null) return questionInWords(model.awaited, latest);
  if (view.out.includes(view.viewer ?? -1) && view.turn !== null) return t('page.mine.out');
  const others = latest.awaits.filter((each) => each.player !== view.viewer);
  const players = others.map((each) => each.player);
  if (view.viewer !== null && others.some((each) => each.question === 'face_up'))
    return translate({ key: 'page.prompt.waiting_face_up', parameters: { players } }, view.viewer, model.displayNames);
  return waitingFor(model, players);
}

function waitingFor({ view, names, displayNames }: PlayModel, players: number[]): string {
  const [first] = players;
  if (first === undefined) return '';
  if (players.length === 1) return t('page.prompt.other', { name: names[first] ?? '' });
  return translate({ key: 'page.prompt.waiting', parameters: { players } }, view.viewer, displayNames);
}

/** The question for those who do not see the pile; empty if there is none. */
export function announcementOf({ awaited, latest, view }: PlayModel, paused: boolean): string {
  return awaited === null || paused ? '' : questionInWords(awaited, latest, describeRequest(view.asks_for));
}

/** Who plays after this turn; empty if nobody needs to know. */
export function nextOf({ view, latest, settled, awaited, names }: PlayModel, paused: boolean): string {
  const next = view.next_player;
  if (!settled || paused || view.turn === null || next === null || latest.ending) return '';
  if (next === view.viewer) return view.turn === view.viewer ? '' : t('page.prompt.then_you');
  return awaited?.question === 'play' ? t('page.prompt.then', { name: names[next] ?? '' }) : '';
}
