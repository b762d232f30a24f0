// The places of Karma: the card maker. The build reads this file with Node: import only `places.ts` here.

import { addressesOf, type Places } from '../../places.ts';

export const PLACES = {
  cards: {
    path: '/play/cards',
    component: () => import('./CardMaker.svelte'),
    title: 'page.maker.title',
    properties: () => ({ code: null }),
  },
  card: {
    path: '/play/cards/:code',
    component: () => import('./CardMaker.svelte'),
    title: 'page.maker.title',
  },
} as const satisfies Places;

export const addressOf = addressesOf(PLACES);
