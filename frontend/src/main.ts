import { mount } from 'svelte';
import App from './App.svelte';
import { meet } from './lib/person.svelte.ts';
import { early } from './lib/replays.ts';
import { route } from './lib/route.svelte.ts';
import { loadLanguage, wantedLanguage } from './lib/words.svelte.ts';
import './styles/app.css';

// A replay is asked for while everything else still loads.
const first = route();
if (first.place === 'replay') {
  early(first.game, first.seat);
  void import('./places/Replay.svelte');
}
await Promise.all([loadLanguage(wantedLanguage()), meet()]);
mount(App, { target: document.getElementById('app') as HTMLElement });

if ('serviceWorker' in navigator && import.meta.env.PROD) {
  // On a local network without https there is none; the browser's own cache does then.
  void navigator.serviceWorker.register('/sw.js').catch(() => undefined);
}
