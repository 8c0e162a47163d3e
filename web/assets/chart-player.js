// Plays a drawing over time: buttons, a slider, keys. Steps are times in ascending
// order; several may be equal.
//
//   played(draws) is the function of a chart that is played; see below
//
//   player(onMove, follows) returns; one that follows goes along with the others of the page
//     .element          the controls
//     .range(times, from, to, at)  sets what to play, and moves to a time; without one, keeps
//                       the time if it is in range
//     .seek(time)       moves to a time, and to its last step
//     .key(event)       true when the key was one of the player's
//     .time .step .playing .used (by somebody)
//     .place(container, id) puts the controls into the element with that id, or above the
//                       drawing in container; one that follows shows none
//     .destroy()
//
// The player calls onMove() whenever time or step changed. If the user prefers
// reduced motion, playing moves from step to step, twice a second.
"use strict";

(() => {
  const { made, number, layered } = berth.chartKit;

  const duration = 30; // seconds from beginning to end at speed 1
  const speeds = [0.05, 0.25, 0.5, 1, 2, 4, 16];
  const shapes = {
    back: "M18 5l-9 7 9 7zM6 5v14", forward: "M6 5l9 7-9 7zM18 5v14", play: "M7 4l12 8-12 8z", pause: "M8 5v14M16 5v14",
  };

  const button = (shape, label, act) => {
    const element = made("button", "button button-icon");
    element.type = "button";
    element.innerHTML = '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path/></svg>';
    const set = (shape, label) => {
      element.querySelector("path").setAttribute("d", shapes[shape]);
      element.title = label;
      element.setAttribute("aria-label", label);
    };
    set(shape, label);
    element.addEventListener("click", act);
    return Object.assign(element, { set });
  };

  const player = (onMove, follows = false) => {
    const still = matchMedia("(prefers-reduced-motion: reduce)");
    let times = [], from = 0, to = 1, time = 0, step = -1, playing = false, frame = 0, timer = 0, last = 0, speed = 1, used = false;

    const element = made("div", "player");
    element.setAttribute("role", "toolbar");
    element.setAttribute("aria-label", "Player");
    const slider = made("input", ""), clock = made("span", "player-clock"), rate = made("select", "");
    Object.assign(slider, { type: "range", step: "any" });
    slider.dataset.testid = "player-step";
    slider.setAttribute("aria-label", "Time");
    rate.setAttribute("aria-label", "Speed");
    rate.title = `Speed; 1 × plays the whole in ${duration} seconds`;
    for (const s of speeds) rate.append(new Option(`${s} ×`, s, s === 1, s === 1));
    const toggle = button("play", "Play (space)", () => play(!playing));
    const next = button("forward", "Step forward (.)", () => forward());
    toggle.dataset.testid = "player-play";
    next.dataset.testid = "player-next";
    element.append(button("back", "Step back (,)", () => back()), toggle, next, slider, clock, rate);

    const show = () => {
      const decimals = Math.max(0, 4 - Math.floor(Math.log10(to - from || 1)));
      slider.value = time;
      clock.textContent = time.toFixed(decimals);
      slider.setAttribute("aria-valuetext", clock.textContent);
      onMove();
      if (!follows) element.dispatchEvent(new CustomEvent("berth:played", { detail: time, bubbles: true }));
    };
    const seek = (wanted) => {
      time = Math.max(from, Math.min(wanted, to));
      step = d3.bisectRight(times, time) - 1;
      show();
    };
    const go = (next) => {
      step = Math.max(-1, Math.min(next, times.length - 1));
      time = step < 0 ? from : times[step];
      show();
    };
    const back = () => { play(false); go(step >= 0 && time > times[step] ? step : step - 1); };
    const forward = () => { play(false); go(step + 1); };

    const play = (on) => {
      used = true;
      if (on === playing) return;
      playing = on;
      toggle.set(on ? "pause" : "play", on ? "Pause (space)" : "Play (space)");
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      if (!on) return onMove();
      if (time >= to || step >= times.length - 1 && still.matches) seek(from);
      if (still.matches) return hop();
      last = performance.now();
      frame = requestAnimationFrame(run);
    };
    const run = (now) => {
      const next = time + Math.min(now - last, 250) / 1000 * (to - from) / duration * speed;
      last = now;
      seek(next);
      if (next >= to) return play(false);
      frame = requestAnimationFrame(run);
    };
    const hop = () => {
      if (step >= times.length - 1) return play(false);
      go(step + 1);
      timer = setTimeout(hop, 500);
    };

    const goAlong = (event) => seek(event.detail);
    if (follows) document.addEventListener("berth:played", goAlong);

    slider.addEventListener("input", () => { play(false); seek(Number(slider.value)); });
    rate.addEventListener("change", () => { speed = Number(rate.value); });
    const keys = {
      " ": () => play(!playing), ",": back, ".": forward,
      Home: () => { play(false); seek(from); }, End: () => { play(false); seek(to); },
    };

    return {
      element, seek,
      range(steps, first, end, at = time) {
        [times, from, to] = [steps, first, Math.max(end, first)];
        Object.assign(slider, { min: from, max: to });
        const kept = step, same = at === time && times[kept] === time;
        if (same) go(kept); // of several at one time
        else seek(at);
      },
      key(event) {
        if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return false;
        event.preventDefault();
        keys[event.key]();
        return true;
      },
      get time() { return time; },
      get step() { return step; },
      get playing() { return playing; },
      get used() { return used; },
      place(container, id) {
        if (follows) return;
        const controls = document.getElementById(id);
        if (controls) controls.replaceChildren(element);
        else container.prepend(element);
      },
      destroy() {
        cancelAnimationFrame(frame);
        clearTimeout(timer);
        document.removeEventListener("berth:played", goAlong);
        element.remove();
      },
    };
  };

  // A picture of what happened, with a player and a line of text about what is selected: a
  // thing, or an event. draws(view) returns how it is drawn on view.field:
  //   role, className      of the field
  //   explains             an event on which the player rests is picked
  //   whole                new figures are shown to their end, if the last ones were
  //   take()               new figures in view.spec; returns { label, from, to, start, times }:
  //                        what the field is, the times between which the player plays, where
  //                        it begins, and its steps where there are no events
  //   measure, paint, over as in layered
  //   moved()              optional: the time is another; returns false to select no event
  //   reveal(time)         optional: makes a time visible; returns whether all moved
  //   hit(x, y)            optional: the thing at a point, null without one
  //   missed(x)            optional: a click on no thing
  //   said(i), told(i)     event i, if otherwise than by its step, and thing i in words
  //   below                optional: elements between the picture and the text
  //   keys                 what further keys do
  // spec has seek, controls, follows and events.
  const played = (draws) => (container, spec) => {
    const field = made("div", ""), readout = made("output", "chart-readout");
    const stepText = (i) => `step ${i + 1} of ${view.spec.events.id.length}, at ${number(view.spec.events.time[i])} s${view.spec.events.text[i] && `: ${view.spec.events.text[i]}`}`;
    let range = {}, layers = null;
    const play = player(() => moved(), spec.follows);
    // Picks event i once the player has rested on it for a while.
    let timer = 0, last = -1;
    const follow = (i) => {
      clearTimeout(timer);
      if (i === last || i < 0 || view.spec.events.id[i] < 0) return;
      timer = setTimeout(() => {
        last = i;
        view.pick({ event: true, i });
      }, 150);
    };
    const view = {
      spec, field, play, selected: null, // { event: bool, i }
      redraw: () => layers.redraw(), repaint: (part) => layers.repaint(part),
      select(next, time = play.time) {
        view.selected = next;
        readout.value = !next ? "" : next.event ? (picture.said ?? stepText)(next.i) : picture.told(next.i);
        const all = picture.reveal?.(time);
        if (all) layers.soon();
        else layers.overlay();
      },
      pick(selected = view.selected) {
        const ids = selected?.event ? view.spec.events.id : view.spec.intervals?.id;
        if (selected) container.dispatchEvent(new CustomEvent("berth:pick", { detail: { event: selected.event, id: ids ? ids[selected.i] : selected.i } }));
      },
    };
    const picture = draws(view);
    const moved = () => {
      if (!layers) return;
      readout.ariaLive = play.playing ? "off" : "polite";
      const rests = picture.moved?.() ?? true;
      if (!view.spec.events.id.length) return view.select(view.selected);
      view.select(rests && play.step >= 0 ? { event: true, i: play.step } : null);
      if (picture.explains && rests && play.used && !play.playing) follow(play.step);
    };
    const take = (next, at) => {
      view.spec = next;
      view.selected = null;
      readout.value = "";
      range = picture.take();
      field.setAttribute("aria-label", `${next.title}: ${range.label}, space plays, comma and full stop step`);
      play.range(next.events.id.length ? next.events.time : range.times, range.from, range.to, at?.(range));
    };

    const keys = { ...picture.keys, Enter: () => view.pick() };
    field.addEventListener("keydown", (event) => {
      if (play.key(event) || !keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      keys[event.key]();
    });
    const pointed = (event) => picture.hit(event.offsetX, event.offsetY);
    field.addEventListener("pointermove", (event) => {
      const found = play.playing ? null : pointed(event);
      if (found) view.select(found, found.time);
      field.style.cursor = found ? "pointer" : "";
    });
    field.addEventListener("click", (event) => {
      const found = pointed(event);
      if (!found) return picture.missed?.(event.offsetX);
      view.select(found, found.time);
      view.pick();
    });
    Object.assign(field, { className: picture.className, tabIndex: 0 });
    field.setAttribute("role", "application");
    field.setAttribute("aria-roledescription", picture.role);
    if (picture.explains) readout.dataset.testid = "player-text";
    container.replaceChildren(field, ...picture.below ?? [], readout);
    play.place(container, spec.controls);
    take(spec);
    layers = layered(field, picture);
    layers.redraw();
    play.seek(range.start);

    return {
      update(next) {
        const { seek } = view.spec, ended = picture.whole && play.time >= range.to;
        layers.soon();
        take(next, ({ to }) => next.seek !== seek ? next.seek : ended ? to : undefined);
      },
      svg: layers.svg,
      destroy() { play.destroy(); layers.destroy(); container.replaceChildren(); },
    };
  };

  Object.assign(berth.chartKit, { played });
})();
