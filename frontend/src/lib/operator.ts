// HTTP requests of the operator's page. The token is stored until the tab is closed.

import type { BanShown, LoadShown, MakeBan, PeoplePage, Problem, TablePage } from '../generated/protocol.ts';
import { ROOT } from '../places.ts';
import { Refusal } from './api.ts';

const STORAGE_KEY = 'threefold operator';

export function readToken(): string {
  try {
    return sessionStorage.getItem(STORAGE_KEY) ?? '';
  } catch {
    return '';
  }
}

export function writeToken(token: string): void {
  try {
    if (token) sessionStorage.setItem(STORAGE_KEY, token);
    else sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    // Without storage the page asks for the token again.
  }
}

export class OperatorApi {
  readonly token: string;
  constructor(token: string) {
    this.token = token;
  }

  private async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.token}` };
    if (body !== undefined) headers['content-type'] = 'application/json';
    let answer: Response;
    try {
      answer = await fetch(`${ROOT}/api/operator/${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch {
      throw new Refusal({ key: 'page.error.offline' }, 0);
    }
    if (answer.status === 204) return undefined as T;
    const read = (await answer.json().catch(() => null)) as unknown;
    if (!answer.ok) throw new Refusal((read as Problem | null)?.text ?? { key: 'page.error.server' }, answer.status);
    return read as T;
  }

  load = (): Promise<LoadShown> => this.call('GET', 'load');
  tables = (search: string, order: string, page: number): Promise<TablePage> =>
    this.call('GET', `tables?${new URLSearchParams({ search, order, page: String(page) })}`);
  people = (search: string, order: string, page: number): Promise<PeoplePage> =>
    this.call('GET', `people?${new URLSearchParams({ search, order, page: String(page) })}`);
  bans = (): Promise<BanShown[]> => this.call('GET', 'bans');
  close = (code: string, words: string): Promise<void> =>
    this.call('POST', `tables/${encodeURIComponent(code)}/close`, { words });
  ban = (ban: Partial<MakeBan>): Promise<BanShown> => this.call('POST', 'bans', ban);
  lift = (ban: string): Promise<void> => this.call('DELETE', `bans/${encodeURIComponent(ban)}`);
}
