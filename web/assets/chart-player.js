// Plays a drawing over time: buttons, a slider, keys. Steps are times in ascending
// order; several may be equal.
//
//   player(onMove, follows) returns; one that follows goes along with the others of the page
//     .element          the controls
//     .range(times, from, to)  sets what to play; keeps the time if it is in range
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
  const { made, number } = berth.chartKit;

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
      range(steps, first, end) {
        [times, from, to] = [steps, first, Math.max(end, first)];
        Object.assign(slider, { min: from, max: to });
        const kept = step;
        seek(time);
        if (times[kept] === time) go(kept); // of several at one time
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

  // What a step of a list of events says, as people read and hear it.
  const stepText = (events, i) => `step ${i + 1} of ${events.ids.length}, at ${number(events.times[i])} s: ${events.texts[i]}`;

  // Explains the event that a player rests on: follow(i) dispatches a pick of event i once
  // no other one has come for a while.
  const follower = (container) => {
    let timer = 0, last = -1;
    return (events, i) => {
      clearTimeout(timer);
      if (i === last || i < 0 || events.ids[i] < 0) return;
      timer = setTimeout(() => {
        last = i;
        container.dispatchEvent(new CustomEvent("berth:pick", { detail: { event: true, id: events.ids[i] } }));
      }, 150);
    };
  };

  Object.assign(berth.chartKit, { player, stepText, follower });
})();
