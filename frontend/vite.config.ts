import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

const server = process.env['THREEFOLD_SERVER'] ?? 'http://127.0.0.1:8000';

/** Writes the paths of all places for the server, which answers exactly these addresses with the page. */
const listPlaces: Plugin = {
  name: 'list-places',
  async generateBundle() {
    // Not bundled with this file: Node reads the table itself, without the components.
    const table = new URL('src/places.ts', import.meta.url).href;
    const { PLACES } = (await import(/* @vite-ignore */ table)) as typeof import('./src/places.ts');
    const paths = Object.values(PLACES).map((each) => each.path);
    this.emitFile({ type: 'asset', fileName: 'places.json', source: JSON.stringify(paths) });
  },
};

export default defineConfig({
  plugins: [svelte(), listPlaces],
  base: '/',
  build: {
    outDir: process.env['THREEFOLD_WEB_OUT'] ?? '../src/threefold/web/static',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    fs: { allow: ['.', '../src/threefold/texts', '../docs/rules'] },
    proxy: {
      '/api': { target: server, ws: true },
    },
  },
});
