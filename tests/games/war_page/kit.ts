// War on the page: what a small game needs.

import { part, type OwnKit } from '../kit.ts';
import { addressOf, PLACES } from './places.ts';

export const kit: OwnKit = {
  name: 'war',
  bot: 'any',
  quickGames: [
    {
      name: 'war',
      label: 'page.home.play_now',
      table: () => ({ edition: 'short', seats: 2, bots: ['any'], start: true }),
    },
  ],
  newTable: () => ({ way: 'long', options: {}, seats: 2 }),
  places: Object.values(PLACES),
  links: [{ address: addressOf('story'), label: 'page.war.story' }],
  setup: part(() => import('./Setup.svelte')),
  table: part(() => import('./Table.svelte')),
  replay: part(() => import('./Replay.svelte')),
};
