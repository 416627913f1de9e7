// Subscribes this browser to messages, where it can be.
"use strict";

{
  const form = document.querySelector("form[data-push-key]");

  /** The browser's subscription under the site's key; one under a key that the site had before is given up. */
  const subscribe = async (manager, applicationServerKey) => {
    const wanted = { userVisibleOnly: true, applicationServerKey };
    try {
      return await manager.subscribe(wanted);
    } catch (error) {
      if (error.name !== "InvalidStateError") throw error;
      await (await manager.getSubscription())?.unsubscribe();
      return manager.subscribe(wanted);
    }
  };

  if (form && "serviceWorker" in navigator && "PushManager" in window) {
    const said = form.querySelector("[role=status]");
    const button = form.querySelector("button");
    const key = Uint8Array.from(atob(form.dataset.pushKey.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    form.hidden = false;
    button.addEventListener("click", async () => {
      button.disabled = true;
      said.textContent = "";
      try {
        await navigator.serviceWorker.register("/sw.js");
        const worker = await navigator.serviceWorker.ready;
        const subscription = await subscribe(worker.pushManager, key);
        const headers = { "Content-Type": "application/json", "X-CSRFToken": form.elements.csrfmiddlewaretoken.value };
        const answer = await fetch(form.dataset.pushUrl, { method: "POST", headers, body: JSON.stringify(subscription) });
        if (answer.ok) location.reload();
        else said.textContent = said.dataset.failed;
      } catch (error) {
        const denied = error.name === "NotAllowedError" || Notification.permission === "denied";
        said.textContent = denied ? said.dataset.denied : said.dataset.failed;
      } finally {
        button.disabled = false;
      }
    });
  }
}
