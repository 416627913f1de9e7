// The page that shows a new token once: copies it, and doesn't leave it behind for the way back.
"use strict";
(() => {
  const secret = document.querySelector("[data-secret]");
  const row = document.querySelector("[data-copy]");
  if (!secret || !row) return;
  if (navigator.clipboard) {
    const said = row.querySelector("[data-copied]");
    row.hidden = false;
    row.querySelector("button").addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(secret.textContent);
        said.textContent = said.dataset.copied;
      } catch {
        getSelection().selectAllChildren(secret);
      }
    });
  }
  addEventListener("pagehide", () => { secret.textContent = "•••"; });
})();
