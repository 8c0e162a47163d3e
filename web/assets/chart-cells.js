// A data centre as cells: a block for each local master, and in it at least one line
// for the workers of each partition, in the colour of their global master. Fill and
// marks show a worker's state: empty, half full, full, hatched, crossed out.
"use strict";

(() => {
  const { number, made, widthOf, layered, player } = berth.chartKit;

  // In pixels: the name of a block, the gap between blocks, the largest and the
  // smallest cell, the whole.
  const title = 18, between = 14, most = 18, least = 10, tallest = 560;
  const [free, partly, busy, pending, down] = [0, 1, 2, 3, 4];

  // spec: { xLabel, blocks: [names], partitions: [{ name, style }], states: [names], seek,
  //         names, block, partition: Int32Array: one for each cell,
  //         times: Float64Array, cell: Int32Array, state: Uint8Array: the changes,
  //         events: { ids, at: Int32Array, times: Float64Array, texts } }
  const cells = (container, first) => {
    const field = made("div", "timeline-field"), readout = made("output", "chart-readout"), tally = made("p", "chart-tally");
    let spec = first, state = new Uint8Array(0), applied = 0; // how many changes state includes
    let groups = [], xs = [], ys = [], size = most, head = 0, heads = [], shown = [];
    let selected = null; // { event: bool, i }: a cell or an event
    field.tabIndex = 0;
    field.setAttribute("role", "application");
    field.setAttribute("aria-roledescription", "data centre");

    // The cells of each partition in each block, in the order of the picture.
    const grouped = () => {
      const all = spec.blocks.map(() => spec.partitions.map(() => []));
      spec.names.forEach((_, i) => all[spec.block[i]][spec.partition[i]].push(i));
      return all;
    };

    // As large as cells can be so that all fit on one screen, but never too small to
    // distinguish.
    const measure = (width) => {
      const keys = keysOf(width);
      shown = keys.placed;
      head = keys.height;
      const picture = container.closest("[data-mode=stage] .stage-picture"); // has room for larger cells
      const limit = picture ? picture.clientHeight - 160 : tallest;
      let height;
      for (size = picture ? 2 * most : most; (height = arrange(width)) > limit && size > least;) size--;
      return height;
    };
    const arrange = (width) => {
      const label = Math.min(64, (d3.max(spec.partitions, (p) => widthOf(p.name)) ?? 0) + 6);
      const longest = d3.max(groups.flat(), (g) => g.length) ?? 1;
      const columns = Math.max(1, Math.min(longest, 20, Math.floor((width - label) / size)));
      const wide = label + columns * size + between, across = Math.max(1, Math.floor((width + between) / wide));
      heads = [];
      let y = head, bottom = head;
      groups.forEach((partitions, b) => {
        const left = (b % across) * wide + label;
        if (b % across === 0) y = bottom;
        heads.push({ text: spec.blocks[b], x: left, y: y + 10, bold: true });
        let top = y + title;
        partitions.forEach((members, p) => {
          if (!members.length) return;
          heads.push({ text: spec.partitions[p].name, x: left - 4, y: top + size / 2, anchor: "end" });
          members.forEach((i, k) => {
            xs[i] = left + (k % columns) * size;
            ys[i] = top + Math.floor(k / columns) * size;
          });
          top += Math.ceil(members.length / columns) * size + 2;
        });
        bottom = Math.max(bottom, top + between);
      });
      return bottom;
    };

    const keysOf = (width) => {
      let x = 0, y = 0;
      const placed = spec.states.map((name, s) => {
        const space = 20 + widthOf(name) + 14;
        if (x > 0 && x + space > width) [x, y] = [0, y + 18];
        const spot = { name, s, x, y };
        x += space;
        return spot;
      });
      return { placed, height: y + 26 };
    };

    const paint = (pen) => {
      for (const k of shown) {
        box(pen, k.x + 1, k.y + 3, 12, "ink-soft", k.s);
        pen.text(k.x + 20, k.y + 9, k.name);
      }
      for (const { text, x, y, anchor, bold } of heads) pen.text(x, y, text, { anchor, bold, color: bold ? "ink" : "ink-soft" });
      for (let i = 0; i < spec.names.length; i++) cell(pen, i);
    };
    const cell = (pen, i) => box(pen, xs[i] + 1, ys[i] + 1, size - 3, spec.partitions[spec.partition[i]].style, state[i]);
    const box = (pen, x, y, side, color, s) => {
      pen.rect(x - 0.5, y - 0.5, side + 1, side + 1, { fill: "ground" });
      if (s === busy) pen.rect(x, y, side, side, { fill: color });
      if (s === partly) pen.rect(x, y + side / 2, side, side / 2, { fill: color });
      if (s === pending) pen.rect(x, y, side, side, { hatch: color });
      if (s === down) {
        pen.line(x, y, x + side, y + side, "ink", 1.5);
        pen.line(x, y + side, x + side, y, "ink", 1.5);
      }
      pen.rect(x, y, side, side, { stroke: color });
    };

    const over = (pen) => {
      const i = !selected ? -1 : selected.event ? spec.events.at[selected.i] : selected.i;
      if (i >= 0) pen.rect(xs[i] - 1, ys[i] - 1, size + 1, size + 1, { stroke: selected.event ? "accent" : "ink", width: 3 });
    };

    // Brings state to the player's time; returns the cells that changed.
    const advance = () => {
      const upTo = d3.bisectRight(spec.times, play.time), changed = new Set();
      if (upTo < applied) {
        state.fill(free);
        applied = 0;
        for (let i = 0; i < state.length; i++) changed.add(i);
      }
      for (; applied < upTo; applied++) {
        state[spec.cell[applied]] = spec.state[applied];
        changed.add(spec.cell[applied]);
      }
      return changed;
    };

    const moved = () => {
      if (!layers) return;
      const changed = advance();
      layers.repaint((pen) => { for (const i of changed) cell(pen, i); });
      const counts = spec.states.map((name, s) => [name, 0]);
      for (const s of state) counts[s][1]++;
      tally.textContent = counts.filter(([, n]) => n).map(([name, n]) => `${number(n)} ${name}`).join(", ");
      readout.ariaLive = play.playing ? "off" : "polite";
      if (spec.events.ids.length) select(play.step < 0 ? null : { event: true, i: play.step });
      else select(selected);
    };
    const select = (next) => {
      selected = next;
      readout.value = !next ? "" : next.event ? `${number(spec.events.times[next.i])}: ${spec.events.texts[next.i]}` : told(next.i);
      layers.overlay();
    };
    const told = (i) => `${spec.names[i]}, ${spec.blocks[spec.block[i]]}, partition of ${spec.partitions[spec.partition[i]].name}: ${spec.states[state[i]]}`;
    const pick = () => {
      if (!selected) return;
      const id = selected.event ? spec.events.ids[selected.i] : selected.i;
      container.dispatchEvent(new CustomEvent("berth:pick", { detail: { event: selected.event, id } }));
    };

    const hit = (x, y) => xs.findIndex((left, i) => x >= left && x < left + size && y >= ys[i] && y < ys[i] + size);

    // To the nearest cell in a direction.
    const read = (across, downwards) => {
      const i = !selected ? -1 : selected.event ? spec.events.at[selected.i] : selected.i;
      if (i < 0) return select({ event: false, i: 0 });
      const along = (k) => across ? (xs[k] - xs[i]) * across : (ys[k] - ys[i]) * downwards;
      const aside = (k) => Math.abs(across ? ys[k] - ys[i] : xs[k] - xs[i]);
      const best = d3.least(d3.range(xs.length).filter((k) => along(k) > 0), (k) => along(k) + 4 * aside(k));
      select({ event: false, i: best ?? i });
    };
    const keys = {
      ArrowLeft: () => read(-1, 0), ArrowRight: () => read(1, 0), ArrowUp: () => read(0, -1), ArrowDown: () => read(0, 1), Enter: pick,
    };
    field.addEventListener("keydown", (event) => {
      if (play.key(event) || !keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      keys[event.key]();
    });
    field.addEventListener("pointermove", (event) => {
      const i = play.playing ? -1 : hit(event.offsetX, event.offsetY);
      if (i >= 0) select({ event: false, i });
      field.style.cursor = i >= 0 ? "pointer" : "";
    });
    field.addEventListener("click", (event) => {
      const i = hit(event.offsetX, event.offsetY);
      if (i < 0) return;
      select({ event: false, i });
      pick();
    });

    const take = () => {
      groups = grouped();
      [xs, ys] = [Array(spec.names.length), Array(spec.names.length)];
      state = new Uint8Array(spec.names.length);
      applied = 0;
      selected = null;
      field.setAttribute("aria-label", `${spec.title}: ${spec.names.length} cells in ${spec.blocks.length} blocks; ` +
        "arrow keys read the cells, Enter chooses one, space plays, comma and full stop step");
      const steps = spec.events.ids.length ? spec.events.times : spec.times;
      play.range(steps, 0, Math.max(spec.times.at(-1) ?? 0, spec.events.times.at(-1) ?? 0));
    };

    let layers = null;
    const play = player(moved);
    container.replaceChildren(field, tally, readout);
    const controls = document.getElementById(spec.controls);
    if (controls) controls.replaceChildren(play.element);
    else container.prepend(play.element);
    take();
    layers = layered(field, { measure, paint, over });
    layers.redraw();
    play.seek(spec.seek);

    return {
      update(next) {
        const { seek } = spec;
        spec = next;
        take();
        advance();
        layers.redraw();
        play.seek(next.seek === seek ? play.time : next.seek);
      },
      svg: layers.svg,
      destroy() { play.destroy(); play.element.remove(); layers.destroy(); container.replaceChildren(); },
    };
  };

  Object.assign(berth.chart, { cells });
})();
