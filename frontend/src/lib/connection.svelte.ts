// A WebSocket that reconnects by itself: with growing pauses after a loss, at once when the network is back, and
// also when the server stops answering. A server that answers after all is heard again on the same socket.

import type { ClientMessage, ServerMessage } from '../generated/protocol.ts';

export type ConnectionStatus = 'connecting' | 'connected' | 'reconnecting' | 'closed';

export interface ConnectionHandlers {
  /** The first message on every new socket. */
  hello: () => ClientMessage;
  receive: (message: ServerMessage) => void;
  /** The server is heard again after a silence. */
  resumed: () => void;
  disconnected: () => void;
}

const BACKOFF_MS = [250, 500, 1000, 2000, 4000, 8000];
/** Close codes of a server that restarts, hands the table over or cannot save: retry soon, another may answer. */
const RETRY_SOON_CODES = new Set([1012, 1013, 4000]);
/** Silence after which the page sends a ping; a hidden page has time. */
const PING_AFTER_MS = { visible: 2000, hidden: 10_000 };
/** Time without an answer after which the connection counts as lost; less when the browser says that it is offline. */
const LOST_AFTER_MS = { online: 2000, offline: 1000 };
/** Time after which another socket replaces one that does not open or answer. */
const GIVE_UP_AFTER_MS = 5000;
const CHECK_EVERY_MS = 250;

export class Connection {
  status = $state<ConnectionStatus>('connecting');

  private socket: WebSocket | null = null;
  private attempts = 0;
  private reconnectTimer: ReturnType<typeof setTimeout> | undefined;
  private livenessTimer: ReturnType<typeof setInterval> | undefined;
  private lastHeard = 0;
  /** When the unanswered ping was sent; 0 if there is none. */
  private pingSentAt = 0;
  /** Whether the handshake on this socket is done. */
  private welcomed = false;
  private closing = false;
  private readonly address: string;
  private readonly handlers: ConnectionHandlers;

  constructor(address: string, handlers: ConnectionHandlers) {
    this.address = address;
    this.handlers = handlers;
    addEventListener('online', this.reconnectNow);
    addEventListener('offline', this.ping);
    document.addEventListener('visibilitychange', this.reconnectNow);
    this.livenessTimer = setInterval(() => this.checkLiveness(), CHECK_EVERY_MS);
    this.connect();
  }

  /** Closes the connection because the page leaves. */
  close(): void {
    this.closing = true;
    clearTimeout(this.reconnectTimer);
    clearInterval(this.livenessTimer);
    removeEventListener('online', this.reconnectNow);
    removeEventListener('offline', this.ping);
    document.removeEventListener('visibilitychange', this.reconnectNow);
    this.socket?.close();
  }

  /** The server accepted the handshake. */
  accepted(): void {
    this.attempts = 0;
    this.welcomed = true;
    this.status = 'connected';
  }

  /** The server closes the connection for good: do not reconnect. */
  ended(): void {
    this.status = 'closed';
  }

  /** Whether the handshake is done and messages can be sent. */
  get ready(): boolean {
    return this.socket?.readyState === WebSocket.OPEN && this.status === 'connected';
  }

  send(message: ClientMessage): void {
    this.socket?.send(JSON.stringify(message));
  }

  /** Reconnects without waiting when the network is back or the page becomes visible. */
  private readonly reconnectNow = (): void => {
    if (this.status === 'reconnecting' && this.socket === null && !document.hidden) {
      clearTimeout(this.reconnectTimer);
      this.connect();
    }
  };

  private get finished(): boolean {
    return this.closing || this.status === 'closed';
  }

  private connect(): void {
    if (this.finished) return;
    this.socket?.close();
    const socket = new WebSocket(this.address);
    this.socket = socket;
    this.welcomed = false;
    this.markHeard();
    socket.onopen = () => {
      this.markHeard();
      socket.send(JSON.stringify(this.handlers.hello()));
    };
    socket.onmessage = (event) => {
      this.markHeard();
      this.handlers.receive(JSON.parse(event.data as string) as ServerMessage);
    };
    socket.onclose = (event) => {
      if (this.socket === socket) this.disconnected(event.code);
    };
  }

  private disconnected(code = 0): void {
    this.socket = null;
    if (this.finished) return;
    if (this.status !== 'connecting' || this.attempts > 1) this.status = 'reconnecting';
    this.handlers.disconnected();
    const usual = BACKOFF_MS[Math.min(this.attempts, BACKOFF_MS.length - 1)] ?? 8000;
    const wait = RETRY_SOON_CODES.has(code) ? Math.min(usual, 1000) : usual;
    this.attempts += 1;
    this.reconnectTimer = setTimeout(() => this.connect(), wait * (0.75 + Math.random() / 2));
  }

  private markHeard(): void {
    this.lastHeard = Date.now();
    this.pingSentAt = 0;
    if (this.welcomed && this.status === 'reconnecting') {
      this.status = 'connected';
      this.handlers.resumed();
    }
  }

  /** Asks the server whether it is there, unless it has been asked already. */
  private readonly ping = (): void => {
    if (this.socket?.readyState !== WebSocket.OPEN || this.pingSentAt) return;
    this.pingSentAt = Date.now();
    this.send({ is: 'ping', sent: this.pingSentAt });
  };

  /** Detects a dead connection: one that does not open in time, or does not answer a ping. */
  private checkLiveness(): void {
    const now = Date.now();
    const state = this.socket?.readyState;
    if (state === WebSocket.CONNECTING && now - this.lastHeard > GIVE_UP_AFTER_MS) this.abandonSocket();
    if (state !== WebSocket.OPEN) return;
    if (!this.pingSentAt) {
      if (now - this.lastHeard > PING_AFTER_MS[document.hidden ? 'hidden' : 'visible']) this.ping();
    } else if (now - this.pingSentAt > GIVE_UP_AFTER_MS) this.abandonSocket();
    else if (now - this.pingSentAt > LOST_AFTER_MS[navigator.onLine ? 'online' : 'offline'] && this.welcomed)
      this.status = 'reconnecting';
  }

  /** Reconnects without waiting for the closing handshake, which a dead peer never answers. */
  private abandonSocket(): void {
    const dead = this.socket;
    this.disconnected();
    dead?.close();
  }
}
