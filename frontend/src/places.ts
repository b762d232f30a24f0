// The table of places: every address of the page, with its component, its title and the sentences it needs.
// Places that only one game has stand in a table of the same form in its folder, `places.ts`, and come with its kit.
// The build writes the paths for the server (see vite.config.ts), which answers exactly these addresses with the page.
// Only types may be imported here: the build reads this file with Node.

import type { Component } from 'svelte';

/** What a place receives: the parameters of its path, and the query of its address. */
export interface PlaceProps {
  parameters: { readonly [name: string]: string };
  query: URLSearchParams;
}
export interface Place {
  /** `:game` must be the name of a game; any other parameter matches one part of the path. */
  path: string;
  /** Loads the component. Its properties are what `properties` returns. */
  component: () => Promise<{ default: Component<never> }>;
  /** Key of the title; the path's parameters and the name of the game are its parameters. A place may refine it. */
  title: string;
  /** Parts of the catalogue to load first. */
  texts?: readonly string[];
  properties?: (place: PlaceProps) => { [name: string]: unknown };
  /** Does a player who comes here from a table stay connected to it? */
  keepsTable?: boolean;
}
/** Where the server's addresses begin: empty, or the path under which a proxy shows it, like `/cards`. */
export const ROOT = typeof document === 'undefined' ? '' : readRoot();

function readRoot(): string {
  const manifest = document.querySelector<HTMLLinkElement>('link[rel="manifest"]');
  return manifest === null ? '' : new URL('.', manifest.href).pathname.slice(0, -1);
}

export interface Places {
  readonly [name: string]: Place;
}

export const PLACES = {
  open: {
    path: '/tables',
    component: () => import('./places/OpenTables.svelte'),
    title: 'page.open.title',
    texts: ['together'],
  },
  home: { path: '/', component: () => import('./places/Home.svelte'), title: 'page.title' },
  table: {
    path: '/t/:code',
    component: () => import('./places/Table.svelte'),
    title: 'page.table.title',
    texts: ['together'],
    properties: ({ parameters }) => ({ code: parameters['code']?.toUpperCase() }),
    keepsTable: true,
  },
  new: {
    path: '/play/new/:game',
    component: () => import('./places/NewTable.svelte'),
    title: 'page.home.new_table',
    texts: ['together'],
    properties: ({ parameters, query }) => ({ ...parameters, card: query.get('card'), listed: query.has('listed') }),
  },
  settings: {
    path: '/play/settings',
    component: () => import('./places/Settings.svelte'),
    title: 'page.settings.title',
    properties: ({ query }) => ({ table: query.get('table') }),
    keepsTable: true,
  },
  transfer: {
    path: '/transfer/:token',
    component: () => import('./places/Transfer.svelte'),
    title: 'page.transfer.title',
  },
  replay: {
    path: '/games/:id',
    component: () => import('./places/Replay.svelte'),
    title: 'page.title',
    texts: ['replay'],
    properties: ({ parameters, query }: PlaceProps) => ({
      id: parameters['id'] ?? '',
      move: numberIn(query, 'move'),
      turn: numberIn(query, 'turn'),
      seat: numberIn(query, 'seat'),
    }),
  },
  review: {
    path: '/games/:id/review',
    component: () => import('./places/Review.svelte'),
    title: 'page.review.title',
    texts: ['replay'],
  },
  me: { path: '/me', component: () => import('./places/Me.svelte'), title: 'page.me.title', texts: ['replay'] },
  operator: {
    path: '/operator',
    component: () => import('./places/Operator.svelte'),
    title: 'page.operator.title',
    texts: ['operator'],
  },
  lessons: {
    path: '/learn',
    component: () => import('./places/Lessons.svelte'),
    title: 'page.lessons.title',
    texts: ['alone', 'rules'],
  },
  learn: {
    path: '/learn/:game',
    component: () => import('./places/Learn.svelte'),
    title: 'page.learn.title',
    texts: ['alone'],
    properties: ({ parameters, query }) => ({ ...parameters, chapter: query.get('chapter') }),
  },
  rules: {
    path: '/rules/:game',
    component: () => import('./places/Rules.svelte'),
    title: 'page.rules.title',
    texts: ['alone'],
    properties: ({ parameters, query }) => ({ ...parameters, chosen: query.get('way'), table: query.get('table') }),
    keepsTable: true,
  },
  guide: {
    path: '/rules/:game/:way',
    component: () => import('./places/Guide.svelte'),
    title: 'page.guide.title',
    texts: ['alone', 'rules'],
    properties: ({ parameters, query }) => ({ ...parameters, setup: query.get('setup'), table: query.get('table') }),
    keepsTable: true,
  },
} as const satisfies Places;

/** The names of the parameters in a path. */
type Named<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? Named<Head> | Named<Tail>
  : Path extends `:${infer Name}`
    ? Name
    : never;
type Query = { [name: string]: string | number | null };
type Wanted<Path extends string> =
  Named<Path> extends never
    ? [parameters?: Record<string, never>, query?: Query]
    : [parameters: { [name in Named<Path>]: string }, query?: Query];

/** Makes `addressOf` for a table of places: `addressOf('replay', { id }, { move: 12 })`. Null leaves a query out. */
export function addressesOf<Table extends Places>(
  places: Table,
): <Name extends keyof Table>(name: Name, ...wanted: Wanted<Table[Name]['path']>) => string {
  return (name, ...[parameters, query = {}]) => {
    const path = (places[name] as Place).path.replaceAll(/:(\w+)/g, (_, each: string) =>
      encodeURIComponent((parameters as { [name: string]: string } | undefined)?.[each] ?? ''),
    );
    const set = Object.entries(query).flatMap(([key, value]) => (value === null ? [] : [[key, String(value)]]));
    return set.length === 0 ? ROOT + path : `${ROOT}${path}?${new URLSearchParams(set).toString()}`;
  };
}

/** The address of a place of every game. */
export const addressOf = addressesOf(PLACES);

export interface Match {
  place: Place;
  parameters: { [name: string]: string };
}

/** The one of these places at a path, or null. */
export function placeAt(path: string, places: readonly Place[]): Match | null {
  if (!path.startsWith(`${ROOT}/`)) return null;
  const parts = path.slice(ROOT.length).split('/').filter(Boolean);
  for (const place of places) {
    const pattern = place.path.split('/').filter(Boolean);
    if (pattern.length !== parts.length) continue;
    const parameters: { [name: string]: string } = {};
    const fits = pattern.every((each, i) => {
      const part = decodeURIComponent(parts[i] ?? '');
      if (each.startsWith(':')) parameters[each.slice(1)] = part;
      return each.startsWith(':') || each === part;
    });
    if (fits) return { place, parameters };
  }
  return null;
}

/** A number in a query; null if it is none. */
function numberIn(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null;
}
