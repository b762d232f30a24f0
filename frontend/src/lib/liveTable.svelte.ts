// The client side of one table: its socket, its latest state, and the requests that are not acknowledged yet.
// Reconnects by itself and sends unacknowledged requests again.

import type { GameEvent, GameView } from '../generated/games.ts';
import {
  PROTOCOL,
  type ClientMessage,
  type Explained,
  type Hinted,
  type Refused,
  type Said,
  type TableShown,
  type ServerMessage,
} from '../generated/protocol.ts';
import { randomName } from './device.ts';
import type { Text } from './texts.ts';
import { EventLog } from './eventLog.svelte.ts';

export type ConnectionStatus = 'connecting' | 'connected' | 'reconnecting' | 'closed';
type Unnumbered<T> = T extends { n?: number } ? Omit<T, 'n'> : never;
export type ClientRequest = Unnumbered<Exclude<ClientMessage, { is: 'hello' } | { is: 'ping' } | { is: 'probed' }>>;

export interface Rejection {
  text: Text;
  clause: string | null;
  /** Another player was faster: not a mistake, and no penalty. */
  taken?: boolean;
}
interface QueuedRequest {
  n: number;
  request: ClientRequest;
  /** Whether the current socket has sent it. */
  sent: boolean;
  answer?: (message: Explained | Hinted | Refused | null) => void;
}
export interface Bubble {
  id: number;
  guest: number;
  sort: Said['sort'];
  what: string;
}

const BACKOFF_MS = [250, 500, 1000, 2000, 4000, 8000];
/** Close codes of a server that restarts, hands the table over or cannot save: retry soon, another process may answer. */
const RETRY_SOON_CODES = new Set([1012, 1013, 4000]);
/** Silence after which the page sends a ping, and the time it waits for the answer. */
const SILENCE_MS = 5000;
/** Requests that are dropped when the connection breaks. All others are sent again; the server recognises them by number. */
const NOT_REPEATED = new Set(['explain', 'hint', 'react', 'phrase', 'chat']);

/** Shows Views one after another, such as an animation queue. Without one the latest View is on the screen. */
export interface Presenter {
  /** Events of null are missing: nothing can be animated. `first` is the id of the first event in the log. */
  enqueue: (view: GameView, events: readonly GameEvent[] | null, first: number) => void;
  /** Whether the screen lags behind the latest View. */
  readonly playing: boolean;
  readonly shown: GameView | null;
}

export class LiveTable {
  readonly code: string;
  readonly log = new EventLog();
  presenter = $state.raw<Presenter | null>(null);
  status = $state<ConnectionStatus>('connecting');
  table = $state.raw<TableShown | null>(null);
  view = $state.raw<GameView | null>(null);
  game = $state(0);
  turnEnds = $state<number | null>(null);
  /** The game's clock, and this device's clock at the same moment. */
  time = $state.raw({ game: 0, here: 0 });
  /** Server clock minus this device's clock, in milliseconds. */
  clockOffset = $state(0);
  you = $state(-1);
  rejection = $state.raw<Rejection | null>(null);
  bubbles = $state.raw<Bubble[]>([]);
  said = $state.raw<Bubble[]>([]);
  /** Why the server closed the connection for good. */
  closeReason = $state<string | null>(null);
  /** The operator's message about it. */
  closeMessage = $state('');
  handshakeError = $state.raw<Text | null>(null);
  /** Number of requests that are not acknowledged yet. */
  open = $state(0);

  private socket: WebSocket | null = null;
  private readonly client = randomName();
  private seq: number | null = null;
  private n = 0;
  private outbox: QueuedRequest[] = [];
  private attempts = 0;
  private reconnectTimer: ReturnType<typeof setTimeout> | undefined;
  private livenessTimer: ReturnType<typeof setInterval> | undefined;
  private lastHeard = 0;
  /** When the unanswered ping was sent; 0 if there is none. */
  private pingSentAt = 0;
  private bubbleId = 0;
  private closing = false;
  private readonly address: string;

  constructor(code: string, address: string) {
    this.code = code;
    this.address = address;
    addEventListener('online', this.reconnectNow);
    document.addEventListener('visibilitychange', this.reconnectNow);
    this.livenessTimer = setInterval(() => this.checkLiveness(), 1000);
    this.connect();
  }

  /** Closes the connection; the player keeps the seat. */
  close(): void {
    this.closing = true;
    clearTimeout(this.reconnectTimer);
    clearInterval(this.livenessTimer);
    removeEventListener('online', this.reconnectNow);
    document.removeEventListener('visibilitychange', this.reconnectNow);
    this.socket?.close();
  }

  /** Sends a request now, or after reconnecting. The server executes it once. */
  send(request: ClientRequest): void {
    this.n += 1;
    this.outbox.push({ n: this.n, request, sent: false });
    this.rejection = null;
    this.flush();
  }

  /** Sends a move of the running game. */
  move(move: string): void {
    this.send({ is: 'move', move, game: this.game });
  }

  /** Why a move would be refused; null if it is legal or if no answer came. */
  explain(move: string): Promise<Rejection | null> {
    return this.query({ is: 'explain', move }).then((message) =>
      message?.is === 'explained' && !message.legal && message.text
        ? { text: message.text, clause: message.clause }
        : message?.is === 'refused'
          ? { text: message.text, clause: message.clause }
          : null,
    );
  }

  /** The move of a careful bot; null if no answer came. */
  hint(): Promise<string | null> {
    return this.query({ is: 'hint' }).then((message) => (message?.is === 'hinted' ? message.move : null));
  }

  private query(request: ClientRequest): Promise<Explained | Hinted | Refused | null> {
    this.n += 1;
    const n = this.n;
    return new Promise((resolve) => {
      const item: QueuedRequest = { n, request, sent: false, answer: resolve };
      this.outbox.push(item);
      this.flush();
      setTimeout(() => {
        this.outbox = this.outbox.filter((each) => each !== item);
        resolve(null);
      }, 6000);
    });
  }

  /** Reconnects without waiting when the network is back or the page becomes visible. */
  private readonly reconnectNow = (): void => {
    if (this.status === 'reconnecting' && this.socket === null && !document.hidden) {
      clearTimeout(this.reconnectTimer);
      this.connect();
    }
  };

  private connect(): void {
    if (this.closing || this.closeReason !== null) return;
    this.socket?.close();
    const socket = new WebSocket(this.address);
    this.socket = socket;
    this.markHeard();
    socket.onopen = () => {
      this.markHeard();
      socket.send(JSON.stringify({ is: 'hello', protocol: PROTOCOL, client: this.client, since: this.seq ?? 0 }));
    };
    socket.onmessage = (event) => {
      this.markHeard();
      this.receive(JSON.parse(event.data as string) as ServerMessage);
    };
    socket.onclose = (event) => {
      if (this.socket === socket) this.disconnected(event.code);
    };
  }

  private disconnected(code = 0): void {
    this.socket = null;
    if (this.closing || this.closeReason !== null) return;
    if (this.status !== 'connecting' || this.attempts > 1) this.status = 'reconnecting';
    // Requests that can be repeated wait for the next connection; the others are answered with null.
    for (const each of this.outbox) each.sent = false;
    for (const each of this.outbox.filter((item) => NOT_REPEATED.has(item.request.is))) each.answer?.(null);
    this.outbox = this.outbox.filter((each) => !NOT_REPEATED.has(each.request.is));
    this.count();
    const usual = BACKOFF_MS[Math.min(this.attempts, BACKOFF_MS.length - 1)] ?? 8000;
    const wait = RETRY_SOON_CODES.has(code) ? Math.min(usual, 1000) : usual;
    this.attempts += 1;
    this.reconnectTimer = setTimeout(() => this.connect(), wait * (0.75 + Math.random() / 2));
  }

  private markHeard(): void {
    this.lastHeard = Date.now();
    this.pingSentAt = 0;
  }

  /** Detects a dead connection: one that does not open in time, or does not answer a ping. */
  private checkLiveness(): void {
    const now = Date.now();
    const state = this.socket?.readyState;
    if (state === WebSocket.CONNECTING && now - this.lastHeard > SILENCE_MS) this.abandonSocket();
    if (state !== WebSocket.OPEN) return;
    if (this.pingSentAt && now - this.pingSentAt > SILENCE_MS) this.abandonSocket();
    else if (!this.pingSentAt && now - this.lastHeard > SILENCE_MS) {
      this.pingSentAt = now;
      this.socket?.send(JSON.stringify({ is: 'ping', sent: now }));
    }
  }

  /** Reconnects without waiting for the closing handshake, which a dead peer never answers. */
  private abandonSocket(): void {
    const dead = this.socket;
    this.disconnected();
    dead?.close();
  }

  private flush(): void {
    this.count();
    if (this.socket?.readyState !== WebSocket.OPEN || this.status !== 'connected') return;
    for (const each of this.outbox) {
      if (each.sent) continue;
      each.sent = true;
      this.socket.send(JSON.stringify({ ...each.request, n: each.n }));
    }
  }

  private count(): void {
    this.open = this.outbox.filter((each) => !each.answer).length;
  }

  private acknowledge(ack: number): void {
    this.outbox = this.outbox.filter((each) => each.n > ack || each.answer !== undefined);
    this.count();
  }

  private receive(message: ServerMessage): void {
    switch (message.is) {
      case 'welcome':
        this.attempts = 0;
        this.status = 'connected';
        this.you = message.you;
        this.clockOffset = message.now - Date.now();
        this.n = Math.max(this.n, message.ack);
        this.acknowledge(message.ack);
        this.flush();
        break;
      case 'table':
        this.table = message;
        if (message.you !== null) this.you = message.you;
        this.acknowledge(message.ack);
        break;
      case 'view': {
        const events = message.events?.flatMap((each) => each.told) ?? null;
        this.seq = message.seq;
        this.game = message.game;
        this.view = message.view;
        this.turnEnds = message.turn_ends;
        this.time = { game: message.time, here: Date.now() };
        const first = this.log.append(events ?? [], message.game);
        this.presenter?.enqueue(message.view, events, first);
        this.acknowledge(message.ack);
        break;
      }
      case 'ack':
        this.acknowledge(message.ack);
        break;
      case 'refused':
        this.refused(message);
        break;
      case 'said':
        this.showBubble(message);
        break;
      case 'explained':
      case 'hinted':
        this.answered(message);
        break;
      case 'probe':
        this.socket?.send(JSON.stringify({ is: 'probed', mark: message.mark }));
        break;
      case 'bye':
        if (message.reason !== 'restart') {
          this.closeReason = message.reason;
          this.closeMessage = message.words ?? '';
          this.status = 'closed';
        }
        break;
      case 'pong':
        break;
    }
  }

  private answered(message: Explained | Hinted | Refused): void {
    const request = this.outbox.find((each) => each.n === message.n);
    request?.answer?.(message);
    this.outbox = this.outbox.filter((each) => each !== request);
    this.count();
  }

  private refused(message: Refused): void {
    if (this.status !== 'connected') {
      // The handshake was refused; another attempt would be refused, too.
      this.handshakeError = message.text;
      this.closeReason = 'refused';
      this.status = 'closed';
      return;
    }
    const request = this.outbox.find((each) => each.n === message.n);
    if (request?.answer) this.answered(message);
    else {
      this.outbox = this.outbox.filter((each) => each !== request);
      this.rejection = { text: message.text, clause: message.clause, taken: message.taken };
      this.count();
    }
  }

  private showBubble(message: Said): void {
    this.bubbleId += 1;
    const bubble = { id: this.bubbleId, guest: message.guest, sort: message.sort, what: message.what };
    this.said = [...this.said.slice(-50), bubble];
    this.bubbles = [...this.bubbles.filter((each) => each.guest !== message.guest), bubble];
    setTimeout(() => (this.bubbles = this.bubbles.filter((each) => each !== bubble)), 3500);
  }

  /** All state of this table, for the test that no hidden card reaches the page. */
  dump(): unknown {
    return {
      table: this.table,
      view: this.view,
      shown: this.presenter?.shown ?? null,
      lines: this.log.lines,
      said: this.said,
    };
  }
}
