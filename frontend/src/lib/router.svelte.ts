// Router: maps addresses to places. The server answers every address of a place with the same page.

export type Route =
  | { place: 'home' }
  | { place: 'new'; game: string; code: string | null }
  | { place: 'table'; code: string }
  | { place: 'settings' }
  | { place: 'cards'; code: string | null }
  | { place: 'transfer'; token: string }
  | { place: 'replay'; game: string; move: number | null; seat: number | null }
  | { place: 'review'; game: string }
  | { place: 'me' }
  | { place: 'operator' }
  | { place: 'daily'; kind: 'basic' | 'advanced' | null; day: string | null }
  | { place: 'practice' }
  | { place: 'learn'; game: 'karma' | 'set' }
  | { place: 'rules'; game: 'karma' | 'set' }
  | { place: 'not_found' };

export function parseRoute(path: string, search = ''): Route {
  const parts = path.split('/').filter(Boolean).map(decodeURIComponent);
  if (parts[0] === 'play') parts.shift();
  const [first = '', second = '', third = ''] = parts;
  const query = new URLSearchParams(search);
  switch (first) {
    case '':
      return { place: 'home' };
    case 'new':
      return { place: 'new', game: second || 'karma', code: query.get('card') };
    case 't':
      return second ? { place: 'table', code: second.toUpperCase() } : { place: 'not_found' };
    case 'operator':
      return { place: 'operator' };
    case 'settings':
      return { place: 'settings' };
    case 'cards':
      return { place: 'cards', code: second || null };
    case 'transfer':
      return second ? { place: 'transfer', token: second } : { place: 'not_found' };
    case 'games':
      if (!second) return { place: 'not_found' };
      if (third === 'review') return { place: 'review', game: second };
      return {
        place: 'replay',
        game: second,
        move: parseNumber(query.get('move')),
        seat: parseNumber(query.get('seat')),
      };
    case 'me':
      return { place: 'me' };
    case 'daily':
      if (second !== '' && second !== 'basic' && second !== 'advanced') return { place: 'not_found' };
      return { place: 'daily', kind: second || null, day: query.get('day') };
    case 'practice':
      return { place: 'practice' };
    case 'learn':
    case 'rules':
      return second === 'karma' || second === 'set' ? { place: first, game: second } : { place: 'not_found' };
    default:
      return { place: 'not_found' };
  }
}

/** A number in an address; null if it is none. */
function parseNumber(text: string | null): number | null {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

const current = $state({ route: parseRoute(location.pathname, location.search) });

export function route(): Route {
  return current.route;
}

export function go(path: string): void {
  history.pushState(null, '', path);
  updateRoute();
}

function updateRoute(): void {
  current.route = parseRoute(location.pathname, location.search);
  if (!location.hash) scrollTo(0, 0);
}

addEventListener('popstate', updateRoute);

/** Follows internal links without reloading the page. */
export function followLinks(event: MouseEvent): void {
  const link = (event.target as Element).closest?.('a');
  if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (
    link.origin !== location.origin ||
    link.hasAttribute('download') ||
    link.target ||
    link.pathname.startsWith('/api')
  )
    return;
  if (link.hash && link.pathname + link.search === location.pathname + location.search) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}
