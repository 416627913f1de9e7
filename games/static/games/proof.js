// After a game: is the salt that the server used the one that this browser made?
"use strict";

{
  const field = document.querySelector("[data-salt-of]");
  let kept = null;
  try {
    kept = field && localStorage.getItem(`salt:${field.dataset.saltOf}`);
  } catch { /* storage is switched off: there is nothing to compare with */ }
  if (kept) {
    const same = kept === field.textContent.trim();
    document.querySelector(same ? "[data-salt-same]" : "[data-salt-different]").hidden = false;
  }
}
