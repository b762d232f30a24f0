// The places of SET: daily puzzles and practice. The build reads this file with Node: import only `places.ts` here.

import { addressesOf, type Places } from '../../places.ts';

export const PLACES = {
  daily: {
    path: '/daily',
    component: () => import('./Daily.svelte'),
    title: 'page.daily.title',
    texts: ['alone'],
  },
  puzzle: {
    path: '/daily/:kind',
    component: () => import('./DailyPuzzle.svelte'),
    title: 'page.daily.title',
    texts: ['alone'],
    properties: ({ parameters, query }) => ({ ...parameters, day: query.get('day') }),
  },
  practice: {
    path: '/practice',
    component: () => import('./Practice.svelte'),
    title: 'page.practice.title',
    texts: ['alone'],
  },
} as const satisfies Places;

export const addressOf = addressesOf(PLACES);
