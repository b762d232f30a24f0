import { mount } from 'svelte';
import App from './App.svelte';
import { loadLanguage, preferredLanguage } from './lib/i18n.svelte.ts';
import { loadPerson } from './lib/person.svelte.ts';
import { prefetchReplay } from './lib/replayPrefetch.ts';
import { route } from './lib/router.svelte.ts';
import { PLACES, ROOT } from './places.ts';
import '@fontsource-variable/figtree/index.css';
import './styles/tokens.css';
import './styles/themes.css';
import './styles/app.css';
import './styles/controls.css';
import './styles/layout.css';
import './styles/panels.css';

// Request the code of the first place, and the data of a replay, while everything else still loads.
const { match, query } = route();
if (match !== null) void match.place.component();
if (match?.place === PLACES.replay) prefetchReplay(PLACES.replay.properties({ parameters: match.parameters, query }));
await Promise.all([loadLanguage(preferredLanguage()), loadPerson()]);
const target = document.getElementById('app');
if (target !== null) mount(App, { target });

// Chromium never redraws SVG text that was laid out before the typeface came, unless the family changes.
void document.fonts.load('1em "Figtree Variable"').then(() => (document.documentElement.dataset['font'] = 'loaded'));

// After an update of the server the old parts of the page are gone: get the new page, but only once.
addEventListener('vite:preloadError', (event) => {
  if (sessionStorage['threefold.reloaded'] === import.meta.url) return;
  event.preventDefault();
  sessionStorage['threefold.reloaded'] = import.meta.url;
  location.reload();
  // Until then the old page goes on without the part; its errors mean nothing any more.
  for (const name of ['error', 'unhandledrejection']) addEventListener(name, (late) => late.preventDefault());
});

if ('serviceWorker' in navigator && import.meta.env.PROD) {
  // Service workers need https; without it the browser's own cache must do.
  void navigator.serviceWorker.register(`${ROOT}/sw.js`).catch(() => undefined);
}
