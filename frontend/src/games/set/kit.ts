// SET on the page.

import { DEFAULT_WAYS } from '../../generated/games.ts';
import { STYLES } from '../../generated/setSetup.ts';
import { castFor, castOf } from '../../lib/characters.ts';
import { settings } from './settings.svelte.ts';
import { part, type GameKit } from '../kit.ts';
import { addressOf, PLACES } from './places.ts';

const VARIANT = DEFAULT_WAYS.set;

export const kit: GameKit = {
  name: 'set',
  texts: ['set', 'settable'],
  wayField: 'variant',
  takesTurns: false,
  hasClock: true,
  listsWinners: false,
  bot: 'Tilda',
  quickGames: [
    {
      name: 'set',
      label: 'page.home.play_now',
      table: () => ({
        variant: VARIANT,
        seats: 3,
        bots: castFor('set', castOf('set'), [settings.setBots], 2),
        options: STYLES[settings.setStyle],
        start: true,
      }),
    },
    {
      name: 'solitaire',
      label: 'page.edition.solitaire',
      table: () => ({ variant: 'solitaire', seats: 1, start: true }),
    },
  ],
  places: Object.values(PLACES),
  links: [],
  afterLessons: [
    { address: addressOf('practice'), label: 'page.practice.title' },
    { address: addressOf('daily'), label: 'page.daily.title' },
  ],
  newTable: () => ({ way: VARIANT, options: STYLES[settings.setStyle] }),
  menuMoves: [],
  marks: {
    taken: ['set_taken'],
    wrong: ['wrong_set', 'call_failed'],
    laid: ['cards_laid', 'centre_removed', 'personal_card_given'],
  },
  progressMarks: { taken: 'good', wrong: 'bad' },
  out: () => [],
  untold: {
    replay: [],
    moves: ['cards_laid', 'cards_moved', 'agreement_withdrawn'],
    lesson: ['cards_laid', 'cards_moved', 'deal_ended', 'game_ended'],
  },
  brief: ['set_taken', 'wrong_set', 'personal_card_given'],
  rules: {
    letters: 'STPM',
    page: () => import('../../../../docs/rules/set.md?raw'),
    filter: () => import('./rulesFilter.ts'),
  },
  guide: { way: VARIANT, card: part(() => import('./GuideCard.svelte')) },
  art: part(() => import('./Art.svelte')),
  ground: 'felt',
  describe: ({ variant }) => ({ key: `page.edition.${typeof variant === 'string' ? variant : VARIANT}` }),
  panels: [part(() => import('./TodayPanel.svelte')), part(() => import('./PracticePanel.svelte'))],
  setup: part(() => import('./Setup.svelte')),
  table: part(() => import('./Table.svelte')),
  keys: part(() => import('./KeysDialog.svelte')),
  end: part(() => import('./End.svelte')),
  replay: part(() => import('./Replay.svelte')),
  moveCards: part(() => import('./MoveCards.svelte')),
  review: part(() => import('./Review.svelte')),
  lesson: part(() => import('./Lesson.svelte')),
  profile: part(() => import('./Profile.svelte')),
  settings: part(() => import('./Settings.svelte')),
  preview: null,
};
