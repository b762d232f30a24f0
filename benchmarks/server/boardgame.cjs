// boardgame.io, its tables in memory. usage: node boardgame.cjs FOLDER PORT; its lobby is on the port after it.
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { deal, play, view } = require('./game.cjs');

const [folder, port] = [process.argv[2], Number(process.argv[3])];
const { Server } = createRequire(join(folder, 'x'))('boardgame.io/server');

const mini = {
  name: 'mini',
  setup: deal,
  playerView: ({ G, playerID }) => view(G, Number(playerID)),
  moves: {
    play: { client: false, move: ({ G, playerID }, position) => { play(G, Number(playerID), position); } },
  },
  turn: { minMoves: 1, maxMoves: 1 },
};
const host = '127.0.0.1';
Server({ games: [mini], origins: [/.*/] }).run({
  port: { port, host },
  callback: () => console.log('up'),
  lobbyConfig: { apiPort: { port: port + 1, host } },
});
