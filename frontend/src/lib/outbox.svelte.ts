// The requests of one table that are not acknowledged yet. Each has a number, so that the server executes it once.

import type { ClientMessage, Explained, Hinted, Refused } from '../generated/protocol.ts';

type Unnumbered<T> = T extends { n?: number } ? Omit<T, 'n'> : never;
export type ClientRequest = Unnumbered<Exclude<ClientMessage, { is: 'hello' } | { is: 'ping' } | { is: 'probed' }>>;
export type Answer = Explained | Hinted | Refused;

interface QueuedRequest {
  n: number;
  request: ClientRequest;
  /** Whether the current socket has sent it. */
  sent: boolean;
  /** Takes the answer to a query; missing for a request that is only acknowledged. */
  answer?: (message: Answer | null) => void;
  /** Called when the request is acknowledged or refused. */
  settled?: (() => void) | undefined;
}

/** Requests that are dropped when the connection breaks. All others are sent again; the server knows their numbers. */
const NOT_REPEATED = new Set(['explain', 'hint', 'react', 'phrase', 'chat']);
const QUERY_TIMEOUT_MS = 6000;

export class Outbox {
  /** Number of requests that are not acknowledged yet, without queries. */
  open = $state(0);
  private n = 0;
  private requests: QueuedRequest[] = [];

  add(request: ClientRequest, settled?: () => void): void {
    this.n += 1;
    this.requests.push({ n: this.n, request, sent: false, settled });
    this.count();
  }

  /** Adds a request that has an answer; null if no answer came. */
  query(request: ClientRequest): Promise<Answer | null> {
    this.n += 1;
    const n = this.n;
    return new Promise((resolve) => {
      const item: QueuedRequest = { n, request, sent: false, answer: resolve };
      this.requests.push(item);
      setTimeout(() => {
        this.remove(item);
        resolve(null);
      }, QUERY_TIMEOUT_MS);
    });
  }

  /** Passes every request that the current socket has not sent yet to `send`. */
  flush(send: (message: ClientMessage) => void): void {
    for (const each of this.requests) {
      if (each.sent) continue;
      each.sent = true;
      send({ ...each.request, n: each.n });
    }
  }

  /** Continues with numbers that the server does not know yet. */
  continueAfter(ack: number): void {
    this.n = Math.max(this.n, ack);
    this.acknowledge(ack);
  }

  acknowledge(ack: number): void {
    for (const each of this.requests) if (each.n <= ack) each.settled?.();
    this.requests = this.requests.filter((each) => each.n > ack || each.answer !== undefined);
    this.count();
  }

  /** Takes the answer to a request off the queue; false if the request was no query. */
  answer(message: Answer): boolean {
    const item = this.requests.find((each) => each.n === message.n);
    if (item) this.remove(item);
    item?.answer?.(message);
    item?.settled?.();
    return item?.answer !== undefined;
  }

  /** Requests that can be repeated wait for the next connection; the others are answered with null. */
  disconnected(): void {
    for (const each of this.requests) each.sent = false;
    for (const each of this.requests.filter((item) => NOT_REPEATED.has(item.request.is))) each.answer?.(null);
    this.requests = this.requests.filter((each) => !NOT_REPEATED.has(each.request.is));
    this.count();
  }

  private remove(item: QueuedRequest): void {
    this.requests = this.requests.filter((each) => each !== item);
    this.count();
  }

  private count(): void {
    this.open = this.requests.filter((each) => !each.answer).length;
  }
}
