// One table, live: the socket, what was told last, what was sent and is not yet certain. Comes back by itself, loses no tap.

import type { Asked, Explained, Hinted, Refused, Said, TableShown, Told } from '../generated/protocol.ts';
import { randomName } from './device.ts';
import type { KarmaEvent, KarmaView } from './karma.ts';
import type { Text } from './texts.ts';
import { Theatre } from './theatre.svelte.ts';

export type Standing = 'joining' | 'here' | 'lost' | 'gone';
type Unnumbered<T> = T extends { n?: number } ? Omit<T, 'n'> : never;
export type Ask = Unnumbered<Exclude<Asked, { is: 'hello' } | { is: 'ping' } | { is: 'probed' }>>;

export interface Trouble {
  text: Text;
  clause: string | null;
  /** Somebody was quicker: no mistake, and it costs nothing. */
  taken?: boolean;
}
interface Waiting {
  n: number;
  ask: Ask;
  /** Set once it was handed to an open socket. */
  sent: boolean;
  answer?: (told: Explained | Hinted | Refused | null) => void;
}
export interface Bubble {
  id: number;
  guest: number;
  sort: Said['sort'];
  what: string;
}

const PROTOCOL = 1;
const BACK_OFF = [250, 500, 1000, 2000, 4000, 8000];
/** A server that restarts, hands the table over, or cannot save just now is asked again soon: another may answer. */
const SOON = new Set([1012, 1013, 4000]);
/** After so much silence the page asks whether anybody is there; who does not answer for as long is gone. */
const SILENCE_MS = 5000;
/** What may be sent again after a break without doing harm: the server knows it by its number. Questions are not repeated. */
const QUESTIONS = new Set(['explain', 'hint', 'react', 'phrase', 'chat']);

export class LiveTable {
  readonly code: string;
  readonly theatre = new Theatre();
  standing = $state<Standing>('joining');
  table = $state.raw<TableShown | null>(null);
  view = $state.raw<KarmaView | null>(null);
  game = $state(0);
  turnEnds = $state<number | null>(null);
  /** The game's own time, and what this device's clock said when it was told. */
  time = $state.raw({ game: 0, here: 0 });
  /** This device's clock is so far behind the server's. */
  ahead = $state(0);
  you = $state(-1);
  trouble = $state.raw<Trouble | null>(null);
  bubbles = $state.raw<Bubble[]>([]);
  said = $state.raw<Bubble[]>([]);
  /** Why the table let go of us for good. */
  bye = $state<string | null>(null);
  /** What the operator says about it. */
  byeWords = $state('');
  fatal = $state.raw<Text | null>(null);
  /** Asks that are sent and not yet dealt with. */
  open = $state(0);

  private socket: WebSocket | null = null;
  private readonly client = randomName();
  private seq: number | null = null;
  private n = 0;
  private waiting: Waiting[] = [];
  private tries = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private watch: ReturnType<typeof setInterval> | undefined;
  private heard = 0;
  /** When the page asked whether anybody is there; 0: it need not. */
  private asked = 0;
  private bubbleId = 0;
  private closing = false;
  private readonly address: string;

  constructor(code: string, address: string) {
    this.code = code;
    this.address = address;
    addEventListener('online', this.hurry);
    document.addEventListener('visibilitychange', this.hurry);
    this.watch = setInterval(() => this.check(), 1000);
    this.connect();
  }

  /** Lets go of the table; the seat stays ours. */
  close(): void {
    this.closing = true;
    clearTimeout(this.timer);
    clearInterval(this.watch);
    removeEventListener('online', this.hurry);
    document.removeEventListener('visibilitychange', this.hurry);
    this.socket?.close();
  }

  /** Asks the table for something. It is sent now, or as soon as the connection is back, and done once. */
  ask(ask: Ask): void {
    this.n += 1;
    this.waiting.push({ n: this.n, ask, sent: false });
    this.trouble = null;
    this.flush();
  }

  /** A move in the running game. */
  move(move: string): void {
    this.ask({ is: 'move', move, game: this.game });
  }

  /** Why a move would be refused; null if it would not be, or if nobody can tell now. */
  explain(move: string): Promise<Trouble | null> {
    return this.question({ is: 'explain', move }).then((told) =>
      told?.is === 'explained' && !told.legal && told.text
        ? { text: told.text as unknown as Text, clause: told.clause }
        : told?.is === 'refused'
          ? { text: told.text as unknown as Text, clause: told.clause }
          : null,
    );
  }

  /** What a careful player would do. */
  hint(): Promise<string | null> {
    return this.question({ is: 'hint' }).then((told) => (told?.is === 'hinted' ? told.move : null));
  }

  private question(ask: Ask): Promise<Explained | Hinted | Refused | null> {
    this.n += 1;
    const n = this.n;
    return new Promise((resolve) => {
      const item: Waiting = { n, ask, sent: false, answer: resolve };
      this.waiting.push(item);
      this.flush();
      setTimeout(() => {
        this.waiting = this.waiting.filter((each) => each !== item);
        resolve(null);
      }, 6000);
    });
  }

  /** The network is back, or somebody looks: no need to wait. A connection that is just being made is left alone. */
  private readonly hurry = (): void => {
    if (this.standing === 'lost' && this.socket === null && !document.hidden) {
      clearTimeout(this.timer);
      this.connect();
    }
  };

  private connect(): void {
    if (this.closing || this.bye !== null) return;
    this.socket?.close();
    const socket = new WebSocket(this.address);
    this.socket = socket;
    this.hear();
    socket.onopen = () => {
      this.hear();
      socket.send(JSON.stringify({ is: 'hello', protocol: PROTOCOL, client: this.client, since: this.seq ?? 0 }));
    };
    socket.onmessage = (message) => {
      this.hear();
      this.told(JSON.parse(message.data as string) as Told);
    };
    socket.onclose = (event) => {
      if (this.socket === socket) this.lost(event.code);
    };
  }

  private lost(code = 0): void {
    this.socket = null;
    if (this.closing || this.bye !== null) return;
    if (this.standing !== 'joining' || this.tries > 1) this.standing = 'lost';
    // What can be said twice without harm waits for the next connection; what cannot is given up, and said so.
    for (const each of this.waiting) each.sent = false;
    for (const each of this.waiting.filter((item) => QUESTIONS.has(item.ask.is))) each.answer?.(null);
    this.waiting = this.waiting.filter((each) => !QUESTIONS.has(each.ask.is));
    this.count();
    const usual = BACK_OFF[Math.min(this.tries, BACK_OFF.length - 1)] ?? 8000;
    const wait = SOON.has(code) ? Math.min(usual, 1000) : usual;
    this.tries += 1;
    this.timer = setTimeout(() => this.connect(), wait * (0.75 + Math.random() / 2));
  }

  private hear(): void {
    this.heard = Date.now();
    this.asked = 0;
  }

  /** A connection that says nothing may be dead without knowing it; one that does not come about may never. */
  private check(): void {
    const now = Date.now();
    const state = this.socket?.readyState;
    if (state === WebSocket.CONNECTING && now - this.heard > SILENCE_MS) this.giveUp();
    if (state !== WebSocket.OPEN) return;
    if (this.asked && now - this.asked > SILENCE_MS) this.giveUp();
    else if (!this.asked && now - this.heard > SILENCE_MS) {
      this.asked = now;
      this.socket?.send(JSON.stringify({ is: 'ping', sent: now }));
    }
  }

  /** Does not wait for the other side's goodbye, as browsers do: nobody is there to say it. */
  private giveUp(): void {
    const dead = this.socket;
    this.lost();
    dead?.close();
  }

  private flush(): void {
    this.count();
    if (this.socket?.readyState !== WebSocket.OPEN || this.standing !== 'here') return;
    for (const each of this.waiting) {
      if (each.sent) continue;
      each.sent = true;
      this.socket.send(JSON.stringify({ ...each.ask, n: each.n }));
    }
  }

  private count(): void {
    this.open = this.waiting.filter((each) => !each.answer).length;
  }

  private dealt(ack: number): void {
    this.waiting = this.waiting.filter((each) => each.n > ack || each.answer !== undefined);
    this.count();
  }

  private told(told: Told): void {
    switch (told.is) {
      case 'welcome':
        this.tries = 0;
        this.standing = 'here';
        this.you = told.you;
        this.ahead = told.now - Date.now();
        this.n = Math.max(this.n, told.ack);
        this.dealt(told.ack);
        this.flush();
        break;
      case 'table':
        this.table = told;
        if (told.you !== null) this.you = told.you;
        this.dealt(told.ack);
        break;
      case 'view': {
        const events = told.events?.flatMap((each) => each.told as unknown as KarmaEvent[]) ?? null;
        this.seq = told.seq;
        if (this.game !== told.game) this.theatre.shown = null;
        this.game = told.game;
        this.view = told.view as unknown as KarmaView;
        this.turnEnds = told.turn_ends;
        this.time = { game: told.time, here: Date.now() };
        if (this.view.game === 'karma') this.theatre.take(this.view, events, told.game);
        else this.theatre.note(events ?? [], told.game);
        this.dealt(told.ack);
        break;
      }
      case 'ack':
        this.dealt(told.ack);
        break;
      case 'refused':
        this.refused(told);
        break;
      case 'said':
        this.bubble(told);
        break;
      case 'explained':
      case 'hinted':
        this.answered(told);
        break;
      case 'probe':
        this.socket?.send(JSON.stringify({ is: 'probed', mark: told.mark }));
        break;
      case 'bye':
        if (told.reason !== 'restart') {
          this.bye = told.reason;
          this.byeWords = told.words ?? '';
          this.standing = 'gone';
        }
        break;
      case 'pong':
        break;
    }
  }

  private answered(told: Explained | Hinted | Refused): void {
    const asked = this.waiting.find((each) => each.n === told.n);
    asked?.answer?.(told);
    this.waiting = this.waiting.filter((each) => each !== asked);
    this.count();
  }

  private refused(told: Refused): void {
    if (this.standing !== 'here') {
      // The conversation could not begin, and will not the next time either.
      this.fatal = told.text as unknown as Text;
      this.bye = 'refused';
      this.standing = 'gone';
      return;
    }
    const asked = this.waiting.find((each) => each.n === told.n);
    if (asked?.answer) this.answered(told);
    else {
      this.waiting = this.waiting.filter((each) => each !== asked);
      this.trouble = { text: told.text as unknown as Text, clause: told.clause, taken: told.taken };
      this.count();
    }
  }

  private bubble(told: Said): void {
    this.bubbleId += 1;
    const bubble = { id: this.bubbleId, guest: told.guest, sort: told.sort, what: told.what };
    this.said = [...this.said.slice(-50), bubble];
    this.bubbles = [...this.bubbles.filter((each) => each.guest !== told.guest), bubble];
    setTimeout(() => (this.bubbles = this.bubbles.filter((each) => each !== bubble)), 3500);
  }

  /** Everything the page knows, for the test that nobody is told a card they may not know. */
  dump(): unknown {
    return { table: this.table, view: this.view, shown: this.theatre.shown, lines: this.theatre.lines, said: this.said };
  }
}
