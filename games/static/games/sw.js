// Shows the messages that are pushed to this browser, and opens their table.
"use strict";

self.addEventListener("push", (event) => {
  const told = event.data?.json() ?? {};
  if (!told.title) return;
  const options = { body: told.body, tag: told.tag, icon: "/static/games/icon-192.png", data: { url: told.url } };
  event.waitUntil(self.registration.showNotification(told.title, options));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { url } = event.notification.data;
  event.waitUntil((async () => {
    const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const open = pages.find((page) => page.url === url);
    await (open ? open.focus() : self.clients.openWindow(url));
  })());
});
