// The place of War: its story.

import { addressesOf, type Places } from '../../places.ts';

export const PLACES = {
  story: { path: '/war/story', component: () => import('./Story.svelte'), title: 'page.game.war' },
} as const satisfies Places;

export const addressOf = addressesOf(PLACES);
