// Colyseus with its websocket transport, its rooms in memory. usage: node colyseus.mjs FOLDER PORT
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deal, play, view } from './game.cjs';

const [folder, port] = [process.argv[2], Number(process.argv[3])];
const found = name => import(pathToFileURL(createRequire(join(folder, 'x')).resolve(name)).href);
const { Server, Room } = await found('@colyseus/core');
const { WebSocketTransport } = await found('@colyseus/ws-transport');

class Mini extends Room {
  onCreate() {
    this.maxClients = 4;
    this.patchRate = null; // nothing is synchronised behind the messages
    this.table = deal();
    this.seats = new Map();
    this.seq = 0;
    this.onMessage('hello', client => client.send('view', this.told(client, 0)));
    this.onMessage('act', (client, message) => {
      if (!play(this.table, this.seats.get(client.sessionId), message.position)) return;
      this.seq += 1;
      for (const each of this.clients) each.send('view', this.told(each, each === client ? message.n : 0));
    });
  }

  told(client, ack) {
    return { seq: this.seq, ack, view: view(this.table, this.seats.get(client.sessionId)) };
  }

  onJoin(client) {
    this.seats.set(client.sessionId, this.seats.size);
  }
}

const server = new Server({ transport: new WebSocketTransport(), greet: false });
server.define('mini', Mini);
await server.listen(port, '127.0.0.1');
console.log('up');
