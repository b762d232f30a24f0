// Service worker: later visits open from the cache. Built files are cached for good, since their names contain a hash;
// the page itself comes from the network if possible. Answers of the server (/api) are never cached.
const CACHE = 'threefold-1';

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(['/', '/icon.svg', '/manifest.webmanifest'])).then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== location.origin || url.pathname.startsWith('/api')) return;
  if (url.pathname.startsWith('/assets/')) event.respondWith(keptFirst(event.request));
  else if (event.request.mode === 'navigate') event.respondWith(pageFirst());
});

async function keptFirst(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

async function pageFirst() {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch('/', { credentials: 'same-origin' });
    if (answer.ok) {
      const before = await cache.match('/');
      await cache.put('/', answer.clone());
      if (before && (await before.text()) !== (await answer.clone().text())) await dropOldFiles(cache, await answer.clone().text());
    }
    return answer;
  } catch {
    return (await cache.match('/')) ?? Response.error();
  }
}

/** Removes built files that the new page no longer names. Lazily loaded files stay until the cache is large. */
async function dropOldFiles(cache, page) {
  const kept = await cache.keys();
  if (kept.length > 120) {
    for (const request of kept) {
      const path = new URL(request.url).pathname;
      if (path.startsWith('/assets/') && !page.includes(path)) await cache.delete(request);
    }
  }
}
