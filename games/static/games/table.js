// The table, for all games: touch things to make a move, look at it, confirm it; see the other's move come in.
// It knows no game: see touching.js, and games/pages/boards/base.py for what the server sends.
"use strict";

{
  const root = document.querySelector("[data-table]");
  const said = document.querySelector("[data-said]");
  const CONFIRM = "confirm-moves";

  let play = null; // what is being made: form, ways, touched, action; null while it isn't our turn
  let asked = null; // the preview that is under way
  let sending = false;
  let later = []; // touched while a move was under way

  const find = (selector, within = root) => within.querySelector(selector);
  const all = (selector, within = root) => [...within.querySelectorAll(selector)];
  const state = () => find("[data-state]");
  const touchable = (touch) => find(`[data-board] [data-touch="${CSS.escape(touch)}"]`);

  const stored = (name) => {
    try { return localStorage.getItem(name); } catch { return null; }
  };

  // ---- the page's changing part ----

  function begin(keep = []) {
    const form = find("form[data-play]");
    const setting = find("[data-confirm-setting]");
    const moves = find("[data-moves]");
    play = null;
    seek();
    if (moves) moves.scrollTop = moves.scrollHeight;
    if (setting) {
      setting.hidden = false;
      find("input", setting).checked = stored(CONFIRM) !== "off";
    }
    if (!form) return;
    play = {
      form, ways: JSON.parse(document.getElementById("ways").textContent), instant: "instant" in form.dataset, growing: "growing" in form.dataset,
      touched: [], action: "", before: new Map(), fresh: true,
    };
    all("[data-confirm], [data-cancel]").forEach((button) => { button.hidden = false; });
    const ticked = all("[data-touch] > input:checked", form).map((input) => input.value);
    for (const touch of keep.length ? keep : ticked) {
      if (touchable(touch)) play.touched = Touching.add(play.ways, play.touched, touch) ?? play.touched;
    }
    const legal = new Set(play.ways.flatMap((way) => way.slots.flatMap((slot) => slot.touch)));
    for (const grid of all("[data-grid]", form)) {
      const inputs = all("input", grid);
      rove(grid, find("input:checked", grid) ?? inputs.find((input) => legal.has(input.value)) ?? inputs[0]);
    }
    show();
  }

  // ``action``: the button that was chosen, which stays so where nothing has moved.
  function replace(html, keep, action = "") {
    const focused = document.activeElement;
    const within = root.contains(focused) && !focused.closest("[data-talk]");
    const same = focused?.value && focused.closest("[data-touch]") ? focused.value : null;
    const place = within && focused.closest("[data-grid]") && { ...focused.dataset };
    const key = within && focused.dataset?.key;
    const kept = all("details[data-keep][open]").map((details) => details.dataset.keep);
    const sought = Object.fromEntries(all("[data-find] select").map((select) => [select.name, select.value]));
    const button = within && ["[data-confirm]", action && `[data-bare][value="${CSS.escape(action)}"]`].find((one) => one && focused.matches(one));
    const step = state().dataset.step;
    Talk.put(root, html);
    document.title = state().dataset.title;
    for (const select of all("[data-find] select")) select.value ||= sought[select.name];
    for (const details of all("details[data-keep]")) details.open ||= kept.includes(details.dataset.keep);
    begin(keep);
    if (action && play && state().dataset.step === step) chooseAgain(action);
    const again = (button && find(`${button}:not(:disabled)`)) || (key && find(`[data-key="${key}"]:not(:disabled)`)) || (same && play && (find("input", touchable(same) ?? document.createElement("i")) ?? nearest(place)));
    if (again) again.focus({ preventScroll: true });
    else if (within) find("[data-heading]").focus({ preventScroll: true });
    if (state().dataset.step !== step) said.textContent = state().dataset.news;
    else if (find("[data-hint]")) said.textContent = find("[data-hint]").textContent;
  }

  // What lies nearest to where something was that is there no more.
  function nearest(place) {
    if (!place) return find("[data-board] input");
    const away = (input) => 100 * Math.abs(input.dataset.x - place.x) + Math.abs(input.dataset.y - place.y);
    return all("[data-board] [data-grid] input").sort((a, b) => away(a) - away(b))[0] ?? null;
  }

  // ---- what is being made ----

  function show(text = "") {
    const { form, ways, touched } = play;
    const lit = play.instant && !touched.length ? new Set() : Touching.next(ways, touched);
    const done = Touching.complete(ways, touched);
    const unclear = new Set(done.map((way) => way.action)).size > 1;
    for (const item of all("[data-touch]", form)) {
      const input = find(":scope > input", item);
      if (!input) continue;
      input.checked = touched.includes(input.value);
      item.classList.toggle("lit", lit.has(input.value));
    }
    all("[data-bare]").forEach((button) => button.removeAttribute("aria-pressed"));
    if (!play.instant) {
      find("[data-confirm]").disabled = done.length === 0 || (unclear && !play.action);
      find("[data-cancel]").disabled = touched.length === 0;
    }
    alternatives(unclear ? done : []);
    prompt(text || chosen());
    restore();
    if (!done.length || text) return;
    if (unclear && !play.action) prompt(find("[data-prompt]").dataset.choose);
    else if (atOnce(done)) form.requestSubmit();
    else preview();
  }

  // Not what was refused before, and not what may be meant to go on.
  function atOnce(done) {
    if (play.fresh || done.length > 1 || (!play.instant && stored(CONFIRM) !== "off")) return false;
    return Touching.next(play.ways.filter((way) => way.ordered || play.growing), play.touched).size === 0;
  }

  function alternatives(done) {
    const place = find("[data-alternatives]");
    if (done.length > 1 || !play.action) place.replaceChildren();
    for (const way of done) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "button quiet";
      button.textContent = way.label;
      button.setAttribute("aria-pressed", String(way.action === play.action));
      button.addEventListener("click", () => { play.action = way.action; show(); });
      place.append(button);
    }
  }

  function prompt(text, wrong = false) {
    const place = find("[data-prompt]");
    place.textContent = text;
    place.classList.toggle("error", wrong);
  }

  function chosen() {
    const { how, chosen: sentence } = find("[data-prompt]").dataset;
    if (!play.touched.length) return how;
    const names = play.touched.map((touch) => find(".visually-hidden", touchable(touch)).textContent);
    return sentence.replace("{what}", names.join("; "));
  }

  // Where something may be touched twice in a row, that stands for touching another thing after it.
  function twice(touch) {
    const other = touchable(touch)?.dataset.twice;
    return other && Touching.add(play.ways, play.touched, other)?.length > play.touched.length ? other : null;
  }

  function choose(touch, dropped = false) {
    if (sending) {
      later.push(touch);
      return undefined;
    }
    play.action = "";
    play.fresh = false;
    if (play.touched.includes(touch) && play.touched.length === 1 && twice(touch)) return choose(twice(touch));
    if (play.touched.includes(touch)) {
      play.touched = Touching.remove(play.ways, play.touched, touch);
      return show();
    }
    const after = Touching.add(play.ways, play.touched, touch);
    const tried = [...play.touched, touch];
    const instead = after && after.length < tried.length && play.ways.some((way) => way.ordered);
    if (!after || (instead && dropped)) return explain(tried);
    play.touched = after;
    show();
    return instead && !Touching.complete(play.ways, after).length ? explain(tried, true) : undefined;
  }

  // A move that touches nothing is looked at first, too, unless moves are made at once.
  function look(button) {
    play.touched = [];
    play.action = "";
    show();
    play.action = button.value;
    button.setAttribute("aria-pressed", "true");
    all("[data-confirm], [data-cancel]").forEach((other) => { other.disabled = false; });
    preview();
  }

  function chooseAgain(action) {
    const button = !play.touched.length && find(`[data-bare][value="${CSS.escape(action)}"]`);
    if (button) return look(button);
    play.action = play.touched.length ? action : "";
    return show();
  }

  function clear() {
    play.touched = [];
    play.action = "";
    show();
  }

  // ---- the move as it would be ----

  function ask(touches) {
    asked?.abort();
    asked = new AbortController();
    const query = new URLSearchParams(touches.map((touch) => ["touch", touch]));
    query.set("step", play.form.elements.step.value);
    if (play.action) query.set("action", play.action);
    return fetch(`${play.form.dataset.previewUrl}?${query}`, { signal: asked.signal, headers: { "X-Requested-With": "fetch" } });
  }

  async function preview() {
    const { touched } = play;
    try {
      const answer = await ask(touched);
      const text = await answer.text();
      if (play?.touched !== touched) return;
      if (answer.ok) shown(new DOMParser().parseFromString(text, "text/html"));
      else refuse(answer, text);
    } catch (error) {
      if (error.name !== "AbortError") prompt(find("[data-prompt]").dataset.failed, true);
    }
  }

  // The move as it would be, or several to choose from.
  function shown(page) {
    const choices = find("[data-choices]", page);
    if (!choices) return ghost(page);
    find("[data-alternatives]").replaceChildren(choices);
    find("[data-confirm]").disabled = true;
    return prompt(find("[data-prompt]").dataset.choose);
  }

  // Touched in vain: nothing is taken away, and the server names the rule.
  // Mildly where another thing has been chosen meanwhile.
  async function explain(touches, mildly = false) {
    const { touched } = play;
    if (!mildly) show(" ");
    try {
      const answer = await ask(touches);
      const text = await answer.text();
      if (play?.touched !== touched) return;
      if (!mildly) refuse(answer, text);
      else if (answer.status === 422) prompt(`${chosen()} ${text}`);
    } catch (error) {
      if (error.name !== "AbortError") prompt(find("[data-prompt]").dataset.failed, true);
    }
  }

  function refuse(answer, text) {
    if (answer.status === 422) prompt(text, true);
    else if (answer.status === 409) poll();
    else prompt(find("[data-prompt]").dataset.failed, true);
  }

  function ghost(page) {
    // A zone without anything to touch is shown whole as it would be: more may lie there than now.
    for (const then of all("[data-board] [data-zone]", page)) {
      const now = find(`[data-board] [data-zone="${CSS.escape(then.dataset.zone)}"]`);
      if (now && !find("input", now)) swapContent(now, then);
    }
    for (const then of all("[data-board] [data-touch]", page)) {
      const now = !then.closest("[data-zone]") && touchable(then.dataset.touch);
      if (now && (now.dataset.card || then.dataset.card)) swapContent(now, then);
    }
    prompt(find("[data-offer]", page).textContent);
    const lit = Touching.next(play.ways, play.touched);
    lit.forEach((touch) => touchable(touch)?.classList.add("lit"));
  }

  // Everything but the input, which stays where it is with its focus.
  function swapContent(now, then) {
    const kept = [...now.childNodes].filter((node) => node.nodeName !== "INPUT");
    if (!play.before.has(now)) play.before.set(now, { css: now.className, kept });
    now.className = then.className;
    now.classList.toggle("touch", find(":scope > input", now) !== null);
    kept.forEach((node) => node.remove());
    now.append(...[...then.childNodes].filter((node) => node.nodeName !== "INPUT"));
  }

  function restore() {
    for (const [now, { css, kept }] of play.before) {
      const lit = now.classList.contains("lit");
      now.className = css;
      now.classList.toggle("lit", lit);
      [...now.childNodes].filter((node) => node.nodeName !== "INPUT").forEach((node) => node.remove());
      now.append(...kept);
    }
    play.before.clear();
  }

  async function send(action) {
    if (sending) return;
    sending = true;
    asked?.abort();
    const body = new URLSearchParams();
    for (const name of ["csrfmiddlewaretoken", "command", "step"]) body.set(name, play.form.elements[name].value);
    let resume = [];
    const { touched } = play;
    if (!action.bare) touched.forEach((touch) => body.append("touch", touch));
    if (action.name) body.set("action", action.name);
    try {
      const answer = await fetch(play.form.getAttribute("action"), { method: "POST", body, headers: { "X-Requested-With": "fetch" } });
      if (answer.redirected || ![200, 409, 422].includes(answer.status)) return location.reload();
      replace(await answer.text(), answer.ok ? [] : touched);
      resume = answer.ok ? later : [];
      if (!answer.ok) said.textContent = find("[data-refusal]")?.textContent ?? "";
    } catch {
      prompt(find("[data-prompt]").dataset.failed, true);
    } finally {
      sending = false;
      while (resume.length && play && !sending) {
        const touch = resume.shift();
        if (find("input", touchable(touch) ?? document.createElement("i"))) choose(touch);
      }
      later = resume;
      wait();
    }
    return undefined;
  }

  // Any other form or button that changes the table: what it is for stands in its address.
  async function deed(form, button) {
    if (sending) return;
    sending = true;
    asked?.abort();
    const body = new URLSearchParams();
    for (const name of ["csrfmiddlewaretoken", "command", "step"]) if (form.elements[name]) body.set(name, form.elements[name].value);
    if (button?.name) body.set(button.name, button.value);
    try {
      const url = button?.hasAttribute("formaction") ? button.formAction : form.getAttribute("action");
      const answer = await fetch(url, { method: "POST", body, headers: { "X-Requested-With": "fetch" } });
      if (answer.redirected || ![200, 409, 422].includes(answer.status)) location.reload();
      else replace(await answer.text(), []);
    } catch {
      location.reload();
    } finally {
      sending = false;
      later = [];
      wait();
    }
  }

  // ---- the other's moves ----

  const news = new News(root, { ask: poll, busy: () => sending, mine: () => play !== null });
  const wait = () => news.wait();

  // ``wish``: the table otherwise told, whether it has changed or not.
  function poll(wish = "") {
    return news.during(async () => {
      const headers = { "X-Requested-With": "fetch", ...news.headers(), ...(wish ? {} : { "If-None-Match": state().dataset.etag }) };
      const answer = sending ? null : await fetch(`${root.dataset.stateUrl}${wish && `?${wish}`}`, { headers, cache: "no-store" });
      if (answer?.status === 200 && !answer.redirected && !sending && news.isNew(answer)) {
        replace(await answer.text(), play?.touched ?? [], play?.action);
      }
      if (answer) Talk.news(answer.headers.get("X-Talk"));
    });
  }

  // ---- hands on the page ----

  function rove(grid, input) {
    for (const other of all("input", grid)) other.tabIndex = other === input ? 0 : -1;
  }

  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  // The nearest thing to touch in that direction, in the same column if there is one. Sideways it is the next in reading
  // order, past the end of a row too, so that everything can be reached; in a patience the next column's.
  function neighbour(grid, input, [dx, dy]) {
    const rows = dx && grid.dataset.grid !== "columns";
    const away = (other) => {
      const x = other.dataset.x - input.dataset.x, y = other.dataset.y - input.dataset.y;
      const ahead = rows ? (100 * y + x) * dx : dx ? x * dx : y * dy, aside = rows ? 0 : Math.abs(dx ? y : x);
      return ahead > 0 ? (dx ? 100 * ahead + aside : ahead + 10 * aside) : Infinity;
    };
    const next = all("input", grid).sort((a, b) => away(a) - away(b))[0];
    return next && away(next) < Infinity ? next : null;
  }

  // u and r while a card has the focus; Ctrl+Z and Ctrl+Y everywhere but where something is typed.
  function shortcut(event) {
    const key = event.key.toLowerCase(), command = event.ctrlKey || event.metaKey;
    if (event.altKey || event.target.matches("select, textarea, input:not([type=checkbox], [type=radio])")) return null;
    if (command) return { z: event.shiftKey ? "r" : "u", y: "r" }[key] ?? null;
    return event.target.closest("[data-grid]") && { u: "u", r: "r" }[key];
  }

  // ---- a card looked for ----

  function seek() {
    const form = find("form[data-find]");
    if (!form) return;
    all(".found").forEach((item) => item.classList.remove("found"));
    const { rank, suit } = form.elements, told = find("[data-found]", form);
    told.textContent = "";
    if (!rank.value || !suit.value) return;
    const lying = all(`[data-board] [data-card="${rank.value}${suit.value}"]`);
    lying.forEach((item) => item.classList.add("found"));
    // What is drawn in two places is told once.
    const counted = lying.filter((item) => !item.closest("[data-again]"));
    const places = counted.map((item) => item.closest("[data-place]")?.dataset.place ?? item.closest("[aria-label]").getAttribute("aria-label"));
    told.textContent = told.dataset.found.replace("{count}", counted.length) + (places.length ? ` (${[...new Set(places)].join(", ")})` : "");
    for (const details of all("[data-board] details")) details.open ||= details.querySelector(".found") !== null;
  }

  root.addEventListener("keydown", (event) => {
    if (!play || event.target.closest("[data-talk]")) return;
    const input = event.target.closest("[data-touch] > input");
    const button = shortcut(event) && find(`button[data-key="${shortcut(event)}"]`);
    if (button) {
      event.preventDefault();
      button.click();
    } else if (event.key === "Escape" && (play.touched.length || play.action)) {
      event.preventDefault();
      clear();
    } else if (input && event.key === "Enter") {
      event.preventDefault();
      input.click();
    } else if (input && ARROWS[event.key] && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      const grid = input.closest("[data-grid]");
      const next = neighbour(grid, input, ARROWS[event.key]);
      if (next) { rove(grid, next); next.focus(); }
    }
  });

  root.addEventListener("focusin", (event) => {
    const grid = event.target.matches("[data-touch] > input") && event.target.closest("[data-grid]");
    if (grid) rove(grid, event.target);
  });

  root.addEventListener("click", (event) => {
    const again = event.target.closest("a[data-again]");
    if (again && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      poll(again.dataset.again);
    }
    if (!play) return;
    if (event.target.matches("[data-touch] > input")) choose(event.target.value);
    else if (event.target.closest("[data-cancel]")) clear();
  });

  root.addEventListener("change", (event) => {
    if (play && event.target.closest("[data-choices]")) {
      play.action = event.target.value;
      show();
    }
    if (event.target.closest("form[data-find]")) seek();
    if (!event.target.closest("[data-confirm-setting]")) return;
    try { localStorage.setItem(CONFIRM, event.target.checked ? "on" : "off"); } catch { /* not kept */ }
  });

  root.addEventListener("submit", (event) => {
    if (event.target.matches("[data-find]")) {
      event.preventDefault();
      return seek();
    }
    if (event.submitter?.matches("[data-deed]") || event.target.matches("[data-deed]")) {
      event.preventDefault();
      return deed(event.target, event.submitter);
    }
    if (event.target !== play?.form) return undefined;
    event.preventDefault();
    const bare = event.submitter?.matches("[data-bare]") ? event.submitter.value : "";
    if (bare && !play.instant && stored(CONFIRM) !== "off") return look(event.submitter);
    return send(bare ? { name: bare, bare: true } : { name: play.action, bare: false });
  });

  // Dragging is touching what is dragged and then where it is dropped. A finger scrolls instead.
  let dragged = null;

  root.addEventListener("pointerdown", (event) => {
    const item = play && event.pointerType !== "touch" && event.button === 0 && event.target.closest("[data-touch]");
    const input = item && find(":scope > input", item);
    dragged = input ? { input, item, x: event.clientX, y: event.clientY, moving: false } : null;
  });

  root.addEventListener("pointermove", (event) => {
    if (!dragged || dragged.moving || Math.hypot(event.clientX - dragged.x, event.clientY - dragged.y) < 10) return;
    dragged.moving = true;
    root.classList.add("dragging");
    if (!play.touched.includes(dragged.input.value)) choose(dragged.input.value);
  });

  addEventListener("pointerup", (event) => {
    root.classList.remove("dragging");
    if (dragged?.moving && play) {
      const over = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-board] [data-touch]");
      const input = over && find(":scope > input", over);
      if (input && input !== dragged.input && !play.touched.includes(input.value)) choose(input.value, true);
    }
    dragged = null;
  });

  root.addEventListener("dragstart", (event) => event.preventDefault());

  begin();
  news.begin();
  // On a phone all of a table with a hand is seen at once, from the top of the felt; what was asked for or is said comes first.
  const low = play && find(".hand") && !document.querySelector(".messages") && matchMedia("(max-width: 40rem)").matches && play.form.getBoundingClientRect().bottom - innerHeight;
  if (low > 0 && !scrollY && !location.hash) scrollTo(0, Math.min(low, find(".felt").getBoundingClientRect().top));
}
