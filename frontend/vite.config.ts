import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const server = process.env.THREEFOLD_SERVER ?? 'http://127.0.0.1:8000';

export default defineConfig({
  plugins: [svelte()],
  base: '/',
  build: {
    outDir: process.env.THREEFOLD_WEB_OUT ?? '../src/threefold/web/static',
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
