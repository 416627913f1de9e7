// Which touches make a move. The server sends the legal moves as ways: products of slots, each with what may be touched.
"use strict";

const Touching = {
  NOT: 0,
  FITS: 1,
  COMPLETE: 2,

  // How far these touches fill a way's slots, at best.
  fill(way, touches, counts = way.slots.map(() => 0)) {
    if (!touches.length) {
      return way.slots.every((slot, n) => counts[n] >= slot.least) ? Touching.COMPLETE : Touching.FITS;
    }
    const begun = way.ordered ? counts.findLastIndex((count) => count > 0) : 0;
    let best = Touching.NOT;
    for (let n = Math.max(begun, 0); n < way.slots.length && best < Touching.COMPLETE; n += 1) {
      const slot = way.slots[n];
      if (way.ordered && way.slots.slice(0, n).some((before, k) => counts[k] < before.least)) break;
      if (counts[n] >= slot.most || !slot.touch.includes(touches[0])) continue;
      counts[n] += 1;
      best = Math.max(best, Touching.fill(way, touches.slice(1), counts));
      counts[n] -= 1;
    }
    return best;
  },

  fits(ways, touches) {
    return ways.some((way) => Touching.fill(way, touches) > Touching.NOT);
  },

  complete(ways, touches) {
    return ways.filter((way) => way.slots.length && Touching.fill(way, touches) === Touching.COMPLETE);
  },

  // The touches after one more: beside the others, or in the place of one of its kind, where a move takes only one of
  // those. Null: it goes with none of them.
  add(ways, touches, touch) {
    if (Touching.fits(ways, [...touches, touch])) return [...touches, touch];
    if (ways.some((way) => way.slots.some((slot) => slot.most > 1 && slot.touch.includes(touch)))) return null;
    const kind = touch.split(":", 1)[0];
    for (let n = touches.length - 1; n >= 0; n -= 1) {
      const others = touches.toSpliced(n, 1, touch);
      if (touches[n].split(":", 1)[0] === kind && Touching.fits(ways, others)) return others;
    }
    return null;
  },

  // The touches after taking one back.
  remove(ways, touches, touch) {
    const left = touches.filter((other) => other !== touch);
    while (left.length && !Touching.fits(ways, left)) left.pop();
    return left;
  },

  // What can be touched next; with nothing touched yet, what moves begin with.
  next(ways, touches) {
    if (!touches.length) return new Set(ways.flatMap((way) => (way.anywhere ? way.slots : way.slots.slice(0, 1)).flatMap((slot) => slot.touch)));
    const all = new Set(ways.flatMap((way) => way.slots.flatMap((slot) => slot.touch)));
    return new Set([...all].filter((touch) => !touches.includes(touch) && Touching.fits(ways, [...touches, touch])));
  },
};
