// Service worker: later visits open from the cache. Built files are cached for good, since their names contain a hash;
// the page itself comes from the network if possible. Answers of the server (/api) are never cached.
const CACHE = 'threefold-1';
/** The page's address: the folder of this file, because a proxy may show the server under a path. */
const HOME = new URL('.', location.href).pathname;

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll([HOME, `${HOME}icon.svg`, `${HOME}manifest.webmanifest`]))
      .then(() => self.skipWaiting()),
  );
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
  if (event.request.method !== 'GET' || url.origin !== location.origin || url.pathname.startsWith(`${HOME}api`)) return;
  if (url.pathname.startsWith(`${HOME}assets/`)) event.respondWith(cacheFirst(event.request));
  else if (event.request.mode === 'navigate') event.respondWith(networkFirst());
});

async function cacheFirst(request) {
  const cache = await caches.open(CACHE);
  const cached = await cache.match(request);
  if (cached) return cached;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone());
  return response;
}

async function networkFirst() {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(HOME, { credentials: 'same-origin' });
    if (response.ok) {
      const before = await cache.match(HOME);
      await cache.put(HOME, response.clone());
      if (before && (await before.text()) !== (await response.clone().text()))
        await dropOldFiles(cache, await response.clone().text());
    }
    return response;
  } catch {
    return (await cache.match(HOME)) ?? Response.error();
  }
}

/** Removes built files that the new page no longer names. Lazily loaded files stay until the cache is large. */
async function dropOldFiles(cache, page) {
  const cached = await cache.keys();
  if (cached.length > 120) {
    for (const request of cached) {
      const path = new URL(request.url).pathname;
      if (path.startsWith(`${HOME}assets/`) && !page.includes(path)) await cache.delete(request);
    }
  }
}
