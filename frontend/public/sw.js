// Later visits open from the cache. Built files never change under their name; the page itself is asked for first, and
// taken from the cache where the network is not there. What the server tells (/api) is never kept.
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

/** A new page has come: files that only the old one named are let go, unless they were fetched in parts. */
async function dropOldFiles(cache, page) {
  const kept = await cache.keys();
  if (kept.length > 120) {
    for (const request of kept) {
      const path = new URL(request.url).pathname;
      if (path.startsWith('/assets/') && !page.includes(path)) await cache.delete(request);
    }
  }
}
