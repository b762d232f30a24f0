// Karma on the page.

import { DEFAULT_WAYS, DESIGN_WAYS } from '../../generated/games.ts';
import { part, type GameKit } from '../kit.ts';
import { addressOf, PLACES } from './places.ts';

const BOT = 'Otto';
const EDITION = DEFAULT_WAYS.karma;

export const kit: GameKit = {
  name: 'karma',
  texts: ['karma'],
  wayField: 'edition',
  takesTurns: true,
  hasClock: false,
  listsWinners: false,
  bot: BOT,
  quickGames: [
    {
      name: 'karma',
      label: 'page.home.play_now',
      table: () => ({ edition: EDITION, seats: 4, bots: ['Bruno', BOT, 'Fenn'], start: true }),
    },
  ],
  places: Object.values(PLACES),
  links: [{ address: addressOf('cards'), label: 'page.home.make_cards' }],
  afterLessons: [],
  newTable: (card) =>
    card === null ? { way: EDITION, options: {} } : { way: DESIGN_WAYS.karma, options: { create_your_karma: card } },
  menuMoves: ['offer draw'],
  marks: {
    clear: ['pile_cleared'],
    pick_up: ['pile_picked_up', 'pile_given'],
    special: [
      'direction_reversed',
      'seats_changed',
      'hands_passed',
      'hands_exchanged',
      'turns_to_lose',
      'bottom_moved_up',
      'card_given',
      'card_peeked_at',
      'cards_swapped',
      'brought_back',
      'cards_left',
    ],
    out: ['went_out'],
  },
  progressMarks: { clear: 'good', pick_up: 'bad' },
  out: (view) => ('out' in view ? view.out : []),
  untold: {
    replay: ['turn_began'],
    moves: ['turn_began', 'cards_drawn'],
    lesson: ['turn_began', 'cards_drawn', 'face_up_shown'],
  },
  brief: ['pile_picked_up', 'pile_given'],
  loadCardNames: () => import('./cardAppearances.svelte.ts'),
  rules: {
    letters: 'K',
    page: () => import('../../../../docs/rules/karma.md?raw'),
    filter: () => import('./rulesFilter.ts'),
  },
  guide: { way: EDITION, card: part(() => import('./GuideCard.svelte')) },
  art: part(() => import('./Art.svelte')),
  ground: 'indigo',
  describe: ({ edition }) => ({
    key: `page.edition.${typeof edition === 'object' ? 'house' : String(edition ?? EDITION)}`,
  }),
  panels: [],
  setup: part(() => import('./Setup.svelte')),
  table: part(() => import('./Table.svelte')),
  keys: part(() => import('./KeysDialog.svelte')),
  end: part(() => import('./End.svelte')),
  replay: part(() => import('./Replay.svelte')),
  moveCards: part(() => import('./MoveCards.svelte')),
  review: null,
  lesson: part(() => import('./Lesson.svelte')),
  profile: null,
  settings: null,
  preview: part(() => import('./Preview.svelte')),
};
