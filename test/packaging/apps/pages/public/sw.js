/** Responds from the cache, and stores what it fetches. */
addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('fetch', (event) => event.respondWith(respond(event.request)))

async function respond(request) {
  const cache = await caches.open('app')
  const cached = await cache.match(request)
  if (cached) return cached
  const response = await fetch(request)
  await cache.put(request, response.clone())
  return response
}
