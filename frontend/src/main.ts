import { mount } from 'svelte';
import App from './App.svelte';
import { loadPerson } from './lib/person.svelte.ts';
import { prefetchReplay } from './lib/replayPrefetch.ts';
import { route } from './lib/router.svelte.ts';
import { loadLanguage, preferredLanguage } from './lib/i18n.svelte.ts';
import './styles/app.css';

// Request a replay while everything else still loads.
const first = route();
if (first.place === 'replay') {
  prefetchReplay(first.game, first.seat);
  void import('./places/Replay.svelte');
}
await Promise.all([loadLanguage(preferredLanguage()), loadPerson()]);
mount(App, { target: document.getElementById('app') as HTMLElement });

if ('serviceWorker' in navigator && import.meta.env.PROD) {
  // Service workers need https; without it the browser's own cache must do.
  void navigator.serviceWorker.register('/sw.js').catch(() => undefined);
}
