// What players say to each other at a table. While the table around it is renewed, the talk stays where it is: a text
// may be being typed there, in letters that aren't put together yet.
"use strict";

const Talk = {
  sending: false,
  onScreen: false,

  section: () => document.querySelector("[data-talk]"),
  find: (selector) => Talk.section()?.querySelector(selector),
  // What stands in its place in a part that was sent without it.
  place: () => document.querySelector("[data-talk-place]"),

  // ---- the table around it ----

  // The table's new part in the place of the old one.
  put(root, html) {
    const holder = document.createElement("div");
    holder.innerHTML = html;
    const section = Talk.section(), place = holder.querySelector("[data-talk], [data-talk-place]");
    if (section && place) Talk.around(root.querySelector("[data-state]"), holder.querySelector("[data-state]"), section, place);
    else root.innerHTML = html;
    Talk.mark();
  },

  // Everything of ``now`` as it is in ``then``, but ``kept``, which stands where ``place`` is there.
  around(now, then, kept, place) {
    for (const { name } of [...now.attributes]) now.removeAttribute(name);
    for (const { name, value } of then.attributes) now.setAttribute(name, value);
    const branch = [...now.children].find((child) => child.contains(kept));
    for (const node of [...now.childNodes]) if (node !== branch) node.remove();
    let before = true;
    for (const node of [...then.childNodes]) {
      if (node.contains(place)) {
        before = false;
        if (branch !== kept) Talk.around(branch, node, kept, place);
      } else if (before) branch.before(node);
      else now.append(node);
    }
  },

  // ---- what is said ----

  // The state of the talk, as the table's answers tell it to who sits there.
  news(tag) {
    if (tag !== null && !Talk.sending && (Talk.section() || Talk.place()) && tag !== Talk.section()?.dataset.tag) Talk.look();
  },

  async look() {
    try {
      const answer = await fetch((Talk.section() ?? Talk.place()).dataset.url, { headers: { "X-Requested-With": "fetch" }, cache: "no-store" });
      if (answer.ok && !answer.redirected) Talk.show(await answer.text());
    } catch { /* not reachable just now: asked again with the next news */ }
  },

  show(html) {
    const holder = document.createElement("div");
    holder.innerHTML = html;
    const then = holder.querySelector("[data-talk]"), now = Talk.section();
    if (!now || "quiet" in now.dataset || "quiet" in then.dataset) {
      (now ?? Talk.place()).replaceWith(then);
      return Talk.begin();
    }
    const known = Math.max(0, ...[...now.querySelectorAll("[data-remark]")].map((item) => Number(item.dataset.remark)));
    Talk.find("[data-talk-list]").replaceChildren(...then.querySelector("[data-talk-list]").childNodes);
    for (const name of ["tag", "unheard"]) now.dataset[name] = then.dataset[name];
    const fresh = [...now.querySelectorAll("[data-remark]")].filter((item) => Number(item.dataset.remark) > known);
    const words = (item) => `${item.querySelector("strong").textContent}: ${item.querySelector(".said").textContent}`;
    if (fresh.length) Talk.find("[data-talk-said]").textContent = fresh.map(words).join("\n");
    Talk.watch();
    return Talk.mark();
  },

  async send(form) {
    if (Talk.sending) return;
    Talk.sending = true;
    const field = form.elements.text, error = Talk.find("[data-talk-error]"), text = field.value;
    let why = error.dataset.failed;
    try {
      const answer = await fetch(form.getAttribute("action"), { method: "POST", body: new URLSearchParams(new FormData(form)), headers: { "X-Requested-With": "fetch" } });
      if (answer.ok && !answer.redirected) {
        why = "";
        // What was typed meanwhile stays.
        field.value = field.value.startsWith(text) ? field.value.slice(text.length) : field.value;
        Talk.keep();
        Talk.show(await answer.text());
      } else if (answer.status === 422) {
        const holder = document.createElement("div");
        holder.innerHTML = await answer.text();
        why = holder.querySelector("[data-talk-error]")?.textContent || why;
      }
    } catch { /* what was typed is still there */ }
    Talk.sending = false;
    error.textContent = why;
    error.hidden = !why;
    field.toggleAttribute("aria-invalid", Boolean(why));
    if (why) field.setAttribute("aria-invalid", "true");
  },

  async quiet(form, button) {
    const body = new URLSearchParams(new FormData(form, button));
    try {
      const answer = await fetch(form.getAttribute("action"), { method: "POST", body, headers: { "X-Requested-With": "fetch" } });
      if (!answer.ok || answer.redirected) return location.reload();
      Talk.show(await answer.text());
      return Talk.find("#talk-title").focus({ preventScroll: true });
    } catch {
      return location.reload();
    }
  },

  // ---- what was seen ----

  // The link at the head of the page to what is new.
  mark() {
    const link = document.querySelector("[data-talk-new]");
    if (link) link.hidden = !Talk.section()?.dataset.unheard;
  },

  // A page that lies open sees nothing: somebody must be there, with the talk on the screen.
  async seen(event) {
    const section = Talk.section();
    if (!section?.dataset.unheard || document.hidden || !Talk.onScreen) return;
    if (event.type === "pointermove" && !event.movementX && !event.movementY) return;
    const body = new URLSearchParams({ number: section.dataset.unheard, csrfmiddlewaretoken: section.querySelector("[name=csrfmiddlewaretoken]").value });
    section.dataset.unheard = "";
    Talk.mark();
    try {
      await fetch(section.dataset.heardUrl, { method: "POST", body, headers: { "X-Requested-With": "fetch" } });
    } catch { /* seen all the same; the server learns it another time */ }
  },

  watcher: new IntersectionObserver((entries) => { Talk.onScreen = entries.at(-1).isIntersecting; }),

  watch() {
    Talk.watcher.disconnect();
    const last = Talk.find("[data-remark]:last-child");
    Talk.onScreen = false;
    if (last) Talk.watcher.observe(last);
  },

  // ---- what is being typed ----

  keep() {
    const field = Talk.find("textarea");
    try {
      if (field?.value) sessionStorage.setItem(Talk.section().dataset.draft, field.value);
      else if (field) sessionStorage.removeItem(Talk.section().dataset.draft);
    } catch { /* not kept over a reload */ }
  },

  begin() {
    const field = Talk.find("textarea");
    try {
      if (field) field.value ||= sessionStorage.getItem(Talk.section().dataset.draft) ?? "";
    } catch { /* nothing was kept */ }
    Talk.watch();
    Talk.mark();
  },
};

{
  const within = (event) => event.target.closest?.("[data-talk]");

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.matches("[data-talk-form]") && within(event)) {
      event.preventDefault();
      Talk.send(form);
    } else if (form.matches("[data-talk-quiet]")) {
      event.preventDefault();
      Talk.quiet(form, event.submitter);
    }
  });
  document.addEventListener("input", (event) => { if (within(event)) Talk.keep(); });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !event.target.form?.matches("[data-talk-form]")) return;
    event.preventDefault();
    event.target.form.requestSubmit();
  });
  for (const type of ["keydown", "pointerdown", "pointermove", "wheel"]) document.addEventListener(type, Talk.seen, { passive: true });
  Talk.begin();
}
