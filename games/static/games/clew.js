// What every page does with a script: tell the server the time zone, make the player's own salt, copy links.
"use strict";

{
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone) {
    document.cookie = `timezone=${encodeURIComponent(zone)}; path=/; max-age=31536000; samesite=lax`;
    for (const field of document.querySelectorAll("input[data-time-zone]")) field.value = zone;
  }

  // A player's own share in the shuffle: made here, kept here to compare after the game.
  const salt = () => {
    const bytes = crypto.getRandomValues(new Uint8Array(24));
    return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
  };
  for (const field of document.querySelectorAll("input[data-salt]")) {
    if (field.value) continue;
    field.value = salt();
    try {
      localStorage.setItem(`salt:${field.dataset.salt}`, field.value);
    } catch { /* storage is switched off: the salt still counts, it just can't be compared later */ }
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const text = document.getElementById(button.dataset.copy)?.value;
    if (!text) return;
    await navigator.clipboard.writeText(text);
    const said = button.querySelector("[data-copied]");
    if (said) button.firstChild.textContent = said.dataset.copied;
  });
}
