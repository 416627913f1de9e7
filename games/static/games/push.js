// Subscribes this browser to messages, where it can be.
"use strict";

{
  const form = document.querySelector("form[data-push-key]");
  if (form && "serviceWorker" in navigator && "PushManager" in window) {
    const said = form.querySelector("[role=status]");
    const key = Uint8Array.from(atob(form.dataset.pushKey.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    form.hidden = false;
    form.querySelector("button").addEventListener("click", async () => {
      try {
        await navigator.serviceWorker.register("/sw.js");
        const worker = await navigator.serviceWorker.ready;
        const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
        const headers = { "Content-Type": "application/json", "X-CSRFToken": form.elements.csrfmiddlewaretoken.value };
        const answer = await fetch(form.dataset.pushUrl, { method: "POST", headers, body: JSON.stringify(subscription) });
        said.textContent = answer.ok ? said.dataset.on : said.dataset.denied;
      } catch {
        said.textContent = said.dataset.denied;
      }
    });
  }
}
