import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

const folder = process.env['THREEFOLD_WEB_OUT'] ?? '../src/threefold/web/static';
const server = process.env['THREEFOLD_SERVER'] ?? 'http://127.0.0.1:8000';

/** With THREEFOLD_DESIGN=1 a build contains the design system at /design; the development server always does. */
const withDesign = process.env['THREEFOLD_DESIGN'] === '1';

/** The typeface may be passed on with its licence only. */
const addLicence: Plugin = {
  name: 'add-licence',
  generateBundle() {
    const licence = new URL('node_modules/@fontsource-variable/figtree/LICENSE', import.meta.url);
    this.emitFile({ type: 'asset', fileName: 'figtree-licence.txt', source: readFileSync(licence) });
  },
};

/** Writes the paths of all places for the server, which answers exactly these addresses with the page. */
const listPlaces: Plugin = {
  name: 'list-places',
  async generateBundle() {
    // Not bundled with this file: Node reads the tables themselves, without the components.
    const paths: string[] = [];
    for (const table of ['src/places.ts', ...globSync('src/games/*/places.ts', { cwd: import.meta.dirname }).sort()]) {
      const { href } = new URL(table, import.meta.url);
      const { PLACES } = (await import(/* @vite-ignore */ href)) as { PLACES: { [name: string]: { path: string } } };
      paths.push(...Object.values(PLACES).map((each) => each.path));
    }
    if (withDesign) paths.push('/design');
    this.emitFile({ type: 'asset', fileName: 'places.json', source: JSON.stringify(paths) });
  },
};

/** The page is served at many addresses, so its files begin with a slash. With a root path the server changes them. */
const startAtRoot: Plugin = {
  name: 'start-at-root',
  enforce: 'post',
  generateBundle(_, bundle) {
    const page = bundle['index.html'];
    if (page?.type === 'asset') page.source = String(page.source).replaceAll('="./', '="/');
  },
};

/** Writes compressed copies beside each text file, so the server need not compress at run time. */
const compress: Plugin = {
  name: 'compress',
  closeBundle() {
    for (const path of globSync(`${folder}/**/*.{html,css,js,svg,webmanifest}`)) {
      const content = readFileSync(path);
      writeFileSync(`${path}.br`, brotliCompressSync(content));
      writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
    }
  },
};

export default defineConfig(({ command }) => ({
  plugins: [svelte(), startAtRoot, listPlaces, addLicence, compress],
  define: { __DESIGN__: JSON.stringify(withDesign || command === 'serve') },
  base: './', // files find each other wherever a proxy shows the server
  build: {
    outDir: folder,
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
}));
