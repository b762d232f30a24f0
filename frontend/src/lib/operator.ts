// What the operator's page asks the server for. The token is kept for as long as the tab is open, and nowhere else.

import type { BanShown, LoadShown, MakeBan, PeoplePage, Problem, TablePage } from '../generated/protocol.ts';
import { Refusal } from './api.ts';
import type { Text } from './texts.ts';

const KEPT = 'threefold operator';

export function keptToken(): string {
  try {
    return sessionStorage.getItem(KEPT) ?? '';
  } catch {
    return '';
  }
}

export function keepToken(token: string): void {
  try {
    if (token) sessionStorage.setItem(KEPT, token);
    else sessionStorage.removeItem(KEPT);
  } catch {
    // A browser that keeps nothing asks again the next time.
  }
}

export class Operator {
  readonly token: string;
  constructor(token: string) {
    this.token = token;
  }

  private async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.token}` };
    if (body !== undefined) headers['content-type'] = 'application/json';
    let answer: Response;
    try {
      answer = await fetch(`/api/operator/${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    } catch {
      throw new Refusal({ key: 'page.error.offline' }, 0);
    }
    if (answer.status === 204) return undefined as T;
    const read = (await answer.json().catch(() => null)) as unknown;
    if (!answer.ok) throw new Refusal(((read as Problem | null)?.text as unknown as Text | undefined) ?? { key: 'page.error.server' }, answer.status);
    return read as T;
  }

  load = (): Promise<LoadShown> => this.call('GET', 'load');
  tables = (search: string, order: string, page: number): Promise<TablePage> => this.call('GET', `tables?${new URLSearchParams({ search, order, page: String(page) })}`);
  people = (search: string, order: string, page: number): Promise<PeoplePage> => this.call('GET', `people?${new URLSearchParams({ search, order, page: String(page) })}`);
  bans = (): Promise<BanShown[]> => this.call('GET', 'bans');
  close = (code: string, words: string): Promise<void> => this.call('POST', `tables/${encodeURIComponent(code)}/close`, { words });
  ban = (ban: Partial<MakeBan>): Promise<BanShown> => this.call('POST', 'bans', ban);
  lift = (ban: string): Promise<void> => this.call('DELETE', `bans/${encodeURIComponent(ban)}`);
}
