// The client side of one table: its latest state, and the moves and questions of the player.
// `Connection` keeps the socket alive, `Outbox` keeps the requests until they are acknowledged.

import type { GameEvent, GameView } from '../generated/games.ts';
import {
  PROTOCOL,
  type Hinted,
  type Refused,
  type Said,
  type ServerMessage,
  type TableShown,
} from '../generated/protocol.ts';
import { Connection, type ConnectionStatus } from './connection.svelte.ts';
import { randomName } from './device.ts';
import { EventLog } from './eventLog.svelte.ts';
import { Outbox, type ClientRequest } from './outbox.svelte.ts';
import type { Text } from './texts.ts';

export interface Rejection {
  text: Text;
  clause: string | null;
  /** Another player was faster: not a mistake, and no penalty. */
  taken?: boolean;
}
export interface Bubble {
  id: number;
  guest: number;
  sort: Said['sort'];
  what: string;
}

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
  /** Number of the game that this player has skipped to its end. */
  skippedGame = $state(0);
  /** Code of the table where somebody waits for a quick match, and this guest has a seat. */
  matched = $state<string | null>(null);

  private readonly client = randomName();
  private readonly outbox = new Outbox();
  private readonly connection: Connection;
  private seq: number | null = null;
  private bubbleId = 0;

  constructor(code: string, address: string) {
    this.code = code;
    this.connection = new Connection(address, {
      hello: () => ({ is: 'hello', protocol: PROTOCOL, client: this.client, since: this.seq ?? 0 }),
      receive: (message) => this.receive(message),
      resumed: () => this.flush(),
      disconnected: () => this.outbox.disconnected(),
    });
  }

  get status(): ConnectionStatus {
    return this.connection.status;
  }

  /** Number of requests that are not acknowledged yet. */
  get open(): number {
    return this.outbox.open;
  }

  /** Closes the connection; the player keeps the seat. */
  close(): void {
    this.connection.close();
  }

  /** Sends a request now, or after reconnecting. The server executes it once. */
  send(request: ClientRequest): void {
    this.outbox.add(request);
    this.rejection = null;
    this.flush();
  }

  /** Sends a request, and waits until the server has executed or refused it. */
  request(request: ClientRequest): Promise<void> {
    return new Promise((resolve) => {
      this.outbox.add(request, resolve);
      this.flush();
    });
  }

  /** Asks the bots, who play alone now, to play the rest at once; it is not animated. */
  skipToEnd(): void {
    this.skippedGame = this.game;
    this.send({ is: 'skip' });
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

  /** What speaks against a legal move; null if nothing does. */
  warning(move: string): Promise<Text | null> {
    return this.query({ is: 'explain', move }).then((message) =>
      message?.is === 'explained' ? message.warning : null,
    );
  }

  /** The move of a careful bot and why; null if no answer came. */
  hint(): Promise<Pick<Hinted, 'move' | 'why'> | null> {
    return this.query({ is: 'hint' }).then((message) => (message?.is === 'hinted' ? message : null));
  }

  private query(request: ClientRequest): ReturnType<Outbox['query']> {
    const answer = this.outbox.query(request);
    this.flush();
    return answer;
  }

  private flush(): void {
    if (this.connection.ready) this.outbox.flush((message) => this.connection.send(message));
  }

  private receive(message: ServerMessage): void {
    switch (message.is) {
      case 'welcome':
        this.connection.accepted();
        this.you = message.you;
        this.clockOffset = message.now - Date.now();
        this.outbox.continueAfter(message.ack);
        this.flush();
        break;
      case 'table':
        this.table = message;
        if (message.you !== null) this.you = message.you;
        this.outbox.acknowledge(message.ack);
        break;
      case 'view': {
        const events = message.events?.flatMap((each) => each.events) ?? null;
        this.seq = message.seq;
        this.game = message.game;
        this.view = message.view;
        this.turnEnds = message.turn_ends;
        this.time = { game: message.time, here: Date.now() };
        const first = this.log.append(events ?? [], message.game);
        this.presenter?.enqueue(message.view, message.game === this.skippedGame ? null : events, first);
        this.outbox.acknowledge(message.ack);
        break;
      }
      case 'ack':
        this.outbox.acknowledge(message.ack);
        break;
      case 'refused':
        this.refused(message);
        break;
      case 'said':
        this.showBubble(message);
        break;
      case 'explained':
      case 'hinted':
        this.outbox.answer(message);
        break;
      case 'matched':
        this.matched = message.code;
        break;
      case 'probe':
        this.connection.send({ is: 'probed', mark: message.mark });
        break;
      case 'bye':
        if (message.reason !== 'restart') {
          this.closeReason = message.reason;
          this.closeMessage = message.words ?? '';
          this.connection.ended();
        }
        break;
      case 'pong': {
        const now = Date.now();
        this.clockOffset = message.now + (now - message.sent) / 2 - now;
        break;
      }
    }
  }

  private refused(message: Refused): void {
    if (this.status !== 'connected') {
      // The handshake was refused; another attempt would be refused, too.
      this.handshakeError = message.text;
      this.closeReason = 'refused';
      this.connection.ended();
      return;
    }
    if (!this.outbox.answer(message))
      this.rejection = { text: message.text, clause: message.clause, taken: message.taken };
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
