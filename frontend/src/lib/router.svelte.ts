// The current place, and moving between places without reloading the page.

import { GAME_PLACES, isGame } from '../games/index.ts';
import { placeAt, PLACES, ROOT, type Match } from '../places.ts';

export interface Route {
  /** Null if there is no such place. */
  match: Match | null;
  query: URLSearchParams;
  /** The address without its hash; a place is drawn anew when it changes. */
  address: string;
}

const ALL_PLACES = [...Object.values(PLACES), ...GAME_PLACES];

function readRoute(): Route {
  const match = placeAt(location.pathname, ALL_PLACES);
  const game = match?.parameters['game'];
  return {
    match: game !== undefined && !isGame(game) ? null : match,
    query: new URLSearchParams(location.search),
    address: location.pathname + location.search,
  };
}

let current = $state.raw(readRoute());

export function route(): Route {
  return current;
}

export function go(address: string): void {
  history.pushState(null, '', address);
  updateRoute();
}

function updateRoute(): void {
  current = readRoute();
  if (!location.hash) scrollTo(0, 0);
}

addEventListener('popstate', updateRoute);

/** Follows internal links without reloading the page. */
export function followLinks(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (
    link.origin !== location.origin ||
    link.hasAttribute('download') ||
    link.target ||
    !link.pathname.startsWith(`${ROOT}/`) ||
    link.pathname.startsWith(`${ROOT}/api`)
  )
    return;
  if (link.hash && link.pathname + link.search === location.pathname + location.search) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}
