// HTTP requests to the server. Every error carries a sentence of the catalogue.

import type {
  Checked,
  DesignShown,
  GameFound,
  GameOffered,
  LessonShown,
  LessonTried,
  ListedTable,
  MakeTable,
  MatchFound,
  MyPuzzles,
  PersonShown,
  PracticeTimes,
  Problem,
  ReplayShown,
  ReviewShown,
  StatsShown,
  TableFound,
  TableMade,
  TableShown,
  TransferMade,
} from '../generated/protocol.ts';
import { ROOT } from '../places.ts';
import type { PowerOffered } from '../generated/karmaSetup.ts';
import type { Text } from './texts.ts';

/** A refused or failed request, with the sentence to show. */
export class Refusal extends Error {
  readonly text: Text;
  readonly status: number;
  /** The clause of the rules that forbids it, if any. */
  readonly clause: string | null;
  constructor(text: Text, status: number, clause: string | null = null) {
    super(text.key);
    this.text = text;
    this.status = status;
    this.clause = clause;
  }
}

/** Sends a request; throws a `Refusal` if it fails. */
export async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(ROOT + path, {
      method,
      credentials: 'same-origin',
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new Refusal({ key: 'page.error.offline' }, 0);
  }
  if (answer.status === 204) return undefined as T;
  const read = (await answer.json().catch(() => null)) as unknown;
  if (!answer.ok) {
    const problem = read as Problem | null;
    throw new Refusal(problem?.text ?? { key: 'page.error.server' }, answer.status, problem?.clause ?? null);
  }
  return read as T;
}

export const api = {
  me: () => call<PersonShown>('GET', '/api/me'),
  createPerson: (name: string) => call<PersonShown>('POST', '/api/me', { name }),
  deletePerson: () => call<unknown>('DELETE', '/api/me'),
  redeem: (token: string) => call<PersonShown>('POST', '/api/me/redeem', { token }),
  transferPerson: (token: string) => call<PersonShown>('POST', '/api/me/transfer/person', { token }),
  transfer: () => call<TransferMade>('POST', '/api/me/transfer'),
  games: () => call<GameOffered[]>('GET', '/api/games'),
  makeTable: (table: Partial<MakeTable> & { game: string }) => call<TableMade>('POST', '/api/tables', table),
  findTable: (code: string) => call<TableShown>('GET', `/api/tables/${encodeURIComponent(code)}`),
  myTables: () => call<TableFound[]>('GET', '/api/me/tables'),
  listedTables: () => call<ListedTable[]>('GET', '/api/tables'),
  findMatch: (game: string) => call<MatchFound>('POST', '/api/match', { game }),
  myGames: (limit = 20) => call<GameFound[]>('GET', `/api/me/games?limit=${limit}`),
  replay: (game: string, viewer: string) =>
    call<ReplayShown>('GET', `/api/games/${encodeURIComponent(game)}/replay?viewer=${viewer}`),
  checkGame: (game: string) => call<Checked>('GET', `/api/games/${encodeURIComponent(game)}/verify`),
  review: (game: string) => call<ReviewShown>('GET', `/api/games/${encodeURIComponent(game)}/review`),
  findGames: (wanted: { [name: string]: string }) =>
    call<GameFound[]>('GET', `/api/me/games?${new URLSearchParams(wanted).toString()}`),
  myStats: () => call<StatsShown>('GET', `/api/me/stats?minutes_ahead=${-new Date().getTimezoneOffset()}`),
  myPuzzles: () => call<MyPuzzles>('GET', '/api/me/puzzles'),
  myPractice: () => call<{ [features: string]: PracticeTimes }>('GET', '/api/me/practice'),
  lessons: (game: string) => call<LessonShown[]>('GET', `/api/lessons/${game}`),
  tryLesson: (game: string, key: string, moves: string[]) =>
    call<LessonTried>('POST', `/api/lessons/${game}/${key}`, { moves }),
  powers: () => call<PowerOffered[]>('GET', '/api/designs'),
  checkDesign: (design: unknown) => call<DesignShown>('POST', '/api/designs', { design }),
  readDesign: (code: string) => call<DesignShown>('GET', `/api/designs/${encodeURIComponent(code)}`),
};
