// Keeps the files of this folder, so that the page opens without a connection. It stores nothing else.
const VERSION = "{{ digest }}", FILES = {{ files }};
const NAME = `deskcheck ${registration.scope} ${VERSION}`;

addEventListener("install", (event) => { skipWaiting(); event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(FILES))); });
addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith(`deskcheck ${registration.scope} `) && name !== NAME) await caches.delete(name);
  await clients.claim();
})()));
addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || !event.request.url.startsWith(registration.scope)) return;
  event.respondWith(caches.open(NAME).then(async (cache) => (await cache.match(event.request, { ignoreSearch: true })) || fetch(event.request)));
});
