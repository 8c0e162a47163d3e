// A data centre as cells: a block for each local master, and in it at least one line
// for the workers of each partition, in the colour of their global master. Fill and
// marks show a worker's state: empty, half full, full, hatched, crossed out. Each global
// master has a small copy of the picture, a line or more for each block: full where its
// copy of the state takes a worker for full, hatched where the books of the block differ.
"use strict";

(() => {
  const { number, made, widthOf, flowed, played } = berth.chartKit;

  // In pixels: the name of a block, the gap between blocks, the largest and the
  // smallest cell, the whole.
  const title = 18, between = 14, most = 18, least = 10, tallest = 560;
  const dot = 8, dots = 20; // a cell of a copy, and how many stand in a line
  const [, partly, busy, pending, down] = [0, 1, 2, 3, 4];
  const [, queues, books, first] = [0, 1, 2, 3]; // layers; the copies begin with first

  // Places are numbers: 0 is none, i + 1 is cell i, −1 − 2i the master of partition i, and
  // −2 − 2i that of block i.
  const cells = played((player) => {
    const { field, play } = player, tally = made("p", "chart-tally");
    let spec = player.spec, items, changes, events, layers = [], applied = 0; // how many changes the layers include
    let groups = [], xs = [], ys = [], size = most, head = 0, heads = [], shown = [];
    let masters = []; // their boxes

    // The cells of each partition in each block, in the order of the picture.
    const grouped = () => {
      const all = spec.blocks.map(() => spec.partitions.map(() => []));
      items.name.forEach((_, i) => all[items.block[i]][items.partition[i]].push(i));
      return all;
    };

    // As large as cells can be so that all fit on one screen, but never too small to
    // distinguish.
    const measure = (width) => {
      const keys = keysOf(width), below = keys.height + 8;
      shown = keys.placed;
      masters = changes.layer.includes(queues) ? boxesOf(width, below) : [];
      head = masters.length ? masters.at(-1).y + masters[0].high + 8 : below;
      const picture = field.closest("[data-mode=stage] .stage-picture"); // has room for larger cells
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

    // A box for each master, in rows.
    const boxesOf = (width, top) => {
      const blocks = groups.map((partitions) => partitions.flat()), keeps = new Set(changes.layer), copied = d3.max(keeps) >= books;
      const lines = copied ? d3.sum(blocks, (b) => Math.ceil(b.length / dots)) : 0;
      const wide = Math.max(24 + (d3.max(spec.partitions, (p) => widthOf(`${p.name}: 8 888 waiting, 888 stale`)) ?? 0), copied ? 10 + dot * Math.min(dots, d3.max(blocks, (b) => b.length)) : 0);
      const across = Math.max(1, Math.floor(width / (wide + 8))), high = 22 + (lines ? dot * lines + 5 : 0);
      return spec.partitions.map((p, i) => ({ ...p, x: (i % across) * (wide + 8), y: top + Math.floor(i / across) * (high + 8), wide, high, blocks, keeps: keeps.has(first + i) }));
    };
    const placeOf = (code) => {
      if (code > 0) return [xs[code - 1] + size / 2, ys[code - 1] + size / 2];
      const i = Math.floor((-code - 1) / 2);
      if (code % 2) return masters[i] && [masters[i].x + masters[i].wide / 2, masters[i].y + masters[i].high];
      const block = heads.filter((h) => h.bold)[i];
      return block && [block.x + widthOf(block.text) / 2, block.y];
    };
    const arrow = (pen, from, to, color) => {
      const [x1, y1] = from, [x2, y2] = to, long = Math.hypot(x2 - x1, y2 - y1) || 1, [dx, dy] = [(x2 - x1) / long, (y2 - y1) / long];
      pen.line(x1, y1, x2, y2, color, 2.5);
      for (const side of [-1, 1]) pen.line(x2, y2, x2 - 9 * dx + side * 5 * dy, y2 - 9 * dy - side * 5 * dx, color, 2.5);
    };
    const drawMaster = (pen, m, i) => {
      pen.rect(m.x, m.y, m.wide, m.high, { fill: "ground" });
      pen.rect(m.x + 0.5, m.y + 0.5, m.wide - 1, m.high - 1, { stroke: m.style });
      pen.rect(m.x + 5, m.y + 6, 10, 10, { fill: m.style });
      pen.text(m.x + 21, m.y + 11, `${m.name}: ${number(layers[queues][i])} waiting${m.keeps ? `, ${number(staleOf(i))} stale` : ""}`);
      if (m.keeps) drawCopy(pen, m, i);
    };
    const drawCopy = (pen, m, i) => {
      let y = m.y + 22;
      for (const block of m.blocks) {
        block.forEach((c, k) => {
          const left = m.x + 5.5 + (k % dots) * dot, top = y + Math.floor(k / dots) * dot + 0.5, stale = isStale(i, c);
          if (layers[first + i][c]) pen.rect(left, top, dot - 2, dot - 2, { fill: m.style });
          if (stale) pen.rect(left, top, dot - 2, dot - 2, { hatch: layers[first + i][c] ? "ground" : "bad" });
          pen.rect(left, top, dot - 2, dot - 2, { stroke: stale ? "bad" : m.style });
        });
        y += Math.ceil(block.length / dots) * dot;
      }
    };
    // A worker that its master has asked for is taken for full before the books are.
    const isStale = (i, c) => layers[first + i][c] !== layers[books][c] && !(layers[first + i][c] && layers[0][c] === pending);
    const staleOf = (i) => d3.sum(layers[first + i], (_, c) => isStale(i, c));

    const keysOf = (width) => flowed(spec.states.map((name, s) => ({ name, s })), width, ({ name }) => 34 + widthOf(name));

    const paint = (pen) => {
      for (const k of shown) {
        box(pen, k.x + 1, k.y + 3, 12, "ink-soft", k.s);
        pen.text(k.x + 20, k.y + 9, k.name);
      }
      for (const { text, x, y, anchor, bold } of heads) pen.text(x, y, text, { anchor, bold, color: bold ? "ink" : "ink-soft" });
      masters.forEach((m, i) => drawMaster(pen, m, i));
      for (let i = 0; i < items.name.length; i++) cell(pen, i);
    };
    const cell = (pen, i) => box(pen, xs[i] + 1, ys[i] + 1, size - 3, spec.partitions[items.partition[i]].style, layers[0][i]);
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
      const { selected } = player;
      const i = !selected ? -1 : selected.event ? events.at[selected.i] : selected.i;
      if (i >= 0) pen.rect(xs[i] - 1, ys[i] - 1, size + 1, size + 1, { stroke: selected.event ? "accent" : "ink", width: 3 });
      if (!selected?.event || !events.sends.from[selected.i]) return;
      const [from, to] = [events.sends.from, events.sends.to].map((places) => placeOf(places[selected.i]));
      if (from && to) arrow(pen, from, to, events.sends.refused[selected.i] ? "bad" : "accent");
    };

    // Brings the layers to the player's time; returns the cells that changed.
    const advance = () => {
      const upTo = d3.bisectRight(changes.time, play.time), changed = new Set();
      if (upTo < applied) {
        for (const layer of layers) layer.fill(0);
        applied = 0;
        for (let i = 0; i < items.name.length; i++) changed.add(i);
      }
      for (; applied < upTo; applied++) {
        layers[changes.layer[applied]][changes.at[applied]] = changes.value[applied];
        if (changes.layer[applied] === 0) changed.add(changes.at[applied]);
      }
      return changed;
    };

    const moved = () => {
      const changed = advance();
      player.repaint((pen) => {
        masters.forEach((m, i) => drawMaster(pen, m, i));
        for (const i of changed) cell(pen, i);
      });
      const counts = spec.states.map((name, s) => [name, 0]);
      for (const s of layers[0]) counts[s][1]++;
      const wrong = masters.filter((m) => m.keeps).map((m) => `${m.name}'s copy is stale for ${number(staleOf(masters.indexOf(m)))}`);
      tally.textContent = [...counts.filter(([, n]) => n).map(([name, n]) => `${number(n)} ${name}`), ...wrong].join(", ");
    };
    const told = (i) => `${items.name[i]}, ${spec.blocks[items.block[i]]}, partition of ${spec.partitions[items.partition[i]].name}: ${spec.states[layers[0][i]]}`;
    const hit = (x, y) => {
      const i = xs.findIndex((left, i) => x >= left && x < left + size && y >= ys[i] && y < ys[i] + size);
      return i < 0 ? null : { event: false, i };
    };

    // To the nearest cell in a direction.
    const read = (across, downwards) => {
      const { selected } = player, i = !selected ? -1 : selected.event ? events.at[selected.i] : selected.i;
      if (i < 0) return player.select({ event: false, i: 0 });
      const along = (k) => across ? (xs[k] - xs[i]) * across : (ys[k] - ys[i]) * downwards;
      const aside = (k) => Math.abs(across ? ys[k] - ys[i] : xs[k] - xs[i]);
      const best = d3.least(d3.range(xs.length).filter((k) => along(k) > 0), (k) => along(k) + 4 * aside(k));
      player.select({ event: false, i: best ?? i });
    };
    const keys = {
      ArrowLeft: () => read(-1, 0), ArrowRight: () => read(1, 0), ArrowUp: () => read(0, -1), ArrowDown: () => read(0, 1),
    };

    const take = () => {
      spec = player.spec;
      ({ items, changes, events } = spec);
      groups = grouped();
      [xs, ys] = [Array(items.name.length), Array(items.name.length)];
      layers = d3.range(first + spec.partitions.length).map((i) => new Int32Array(i === queues ? spec.partitions.length : items.name.length));
      applied = 0;
      masters = []; // until they are measured
      return {
        from: 0, to: Math.max(changes.time.at(-1) ?? 0, events.time.at(-1) ?? 0), start: spec.seek, times: changes.time,
        label: `${items.name.length} cells in ${spec.blocks.length} blocks; arrow keys read the cells, Enter chooses one`,
      };
    };

    return { role: "data centre", className: "timeline-field", explains: true, below: [tally], take, measure, paint, over, moved, hit, told, keys };
  });

  Object.assign(berth.chart, { cells });
})();
