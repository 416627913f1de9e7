// Looking back: the slider, the arrow keys, play and pause; each moment is fetched once, and its neighbours beforehand.
"use strict";

{
  const root = document.querySelector("[data-replay]");
  const place = root.querySelector("[data-moment]");
  const slider = root.querySelector("[data-slider]");
  const button = root.querySelector("[data-play]");
  const said = root.querySelector("[data-said]");
  const { url, eyes, language } = root.dataset;
  const first = Number(root.dataset.first), last = Number(root.dataset.last);
  const numbers = [...root.querySelectorAll("[data-step]")].map((link) => Number(link.dataset.step));
  const moves = [...root.querySelectorAll("[data-step]")].at(-1).dataset.move;
  const moments = new Map();
  const PAUSE = 1400; // milliseconds between two steps while it plays

  let now = Number(slider.value);
  let timer = 0;

  const near = (at, by) => numbers[Math.min(Math.max(numbers.indexOf(at) + by, 0), numbers.length - 1)];
  const aim = (go) => ({ first, back: near(now, -1), forward: near(now, 1), last })[go];
  const address = (at) => `?step=${at}&eyes=${eyes}`;

  function moment(at) {
    if (!moments.has(at)) {
      const asked = fetch(`${url}${address(at)}&part=1&language=${language}`).then((answer) => {
        if (!answer.ok) throw new Error(answer.statusText);
        return answer.text();
      });
      asked.catch(() => moments.delete(at));
      moments.set(at, asked);
    }
    return moments.get(at);
  }

  async function go(at, announce = true) {
    now = at;
    slider.value = at;
    const { move } = root.querySelector(`[data-step="${at}"]`).dataset;
    root.querySelector("[data-at]").textContent = move;
    slider.setAttribute("aria-valuetext", `${move} / ${moves}`);
    const back = root.querySelector("[data-to-step]");
    if (back) back.value = at;
    let html;
    try {
      html = await moment(at);
    } catch {
      stop();
      return location.assign(address(at));
    }
    if (now !== at) return undefined; // the slider has moved on meanwhile
    place.innerHTML = html;
    mark(at);
    if (announce) said.textContent = place.querySelector("[data-news]").dataset.news;
    history.replaceState(null, "", address(at));
    [near(at, 1), near(at, -1)].forEach(moment);
    return undefined;
  }

  function mark(at) {
    for (const link of root.querySelectorAll("[data-step]")) {
      if (Number(link.dataset.step) === at) {
        link.setAttribute("aria-current", "step");
        const list = link.closest("[data-moves]"), row = link.closest("li");
        list.scrollTop = row.offsetTop - list.clientHeight / 2;
      } else link.removeAttribute("aria-current");
    }
    for (const link of root.querySelectorAll("[data-eyes-link]")) link.href = `?step=${at}&eyes=${link.dataset.eyesLink}`;
    for (const link of root.querySelectorAll("[data-go]")) link.href = address(aim(link.dataset.go));
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    playing();
  }

  function start() {
    if (now === last) go(first);
    timer = setInterval(() => (now === last ? stop() : go(near(now, 1))), PAUSE);
    playing();
  }

  function playing() {
    button.setAttribute("aria-pressed", String(timer !== 0));
    button.querySelector("[data-when-paused]").hidden = timer !== 0;
    button.querySelector("[data-when-playing]").hidden = timer === 0;
  }

  button.hidden = false;
  button.addEventListener("click", () => (timer ? stop() : start()));

  slider.addEventListener("input", () => {
    stop();
    const at = numbers.filter((number) => number <= Number(slider.value)).at(-1) ?? first;
    go(at, false);
  });

  root.addEventListener("click", (event) => {
    const link = event.target.closest("[data-go], [data-step]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    stop();
    // Of a button that is pressed faster than moments come the address may be an old one.
    go(link.dataset.go ? aim(link.dataset.go) : Number(link.dataset.step));
  });

  const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

  addEventListener("keydown", (event) => {
    const key = KEYS[event.key];
    if (!key || event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
    event.preventDefault();
    stop();
    go(aim(key));
  });

  mark(now);
  [near(now, 1), near(now, -1)].forEach(moment);
}
