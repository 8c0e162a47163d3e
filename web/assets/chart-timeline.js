// What runs where over time: a row for each host with a bar for each instance, hatched
// during preparation and solid while it runs; above the bars a tick for each event. A
// veil covers what is later than the player's time.
"use strict";

(() => {
  const { number, made, widthOf, fitted, flowed, played } = berth.chartKit;

  const ticksHeight = 5; // above the lanes of a row, for events
  const gap = 3;         // below them

  const timeline = played((player) => {
    const { field, play } = player;
    let spec = player.spec, bars, events, lanes, from = 0, to = 1, view = [0, 1]; // bars and events are columns; lanes is how many lanes each row has; view: the times on screen
    let left = 0, width = 0, tops = [], lane = 6, head = 0, bottom = 0, shown = [];

    const seriesOf = (i) => spec.series.find(({ name }) => name === bars.series[i]);
    const x = (t) => left + (t - view[0]) / (view[1] - view[0]) * (width - left - 8);
    const at = (px) => view[0] + (px - left) / (width - left - 8) * (view[1] - view[0]);

    const axis = () => `${spec.xLabel} →`;
    const measure = (wide) => {
      width = wide;
      left = Math.max(widthOf(axis()) + 16, Math.min(wide / 4, (d3.max(spec.rows, widthOf) ?? 0) + 12));
      lane = Math.max(3, Math.min(15, Math.floor((480 - spec.rows.length * (ticksHeight + gap)) / d3.sum(lanes))));
      const keys = keysOf(wide);
      shown = keys.placed;
      bottom = head = keys.height + 30;
      tops = lanes.map((n) => { const top = bottom; bottom += Math.max(14, n * lane + ticksHeight + gap); return top; });
      return bottom + 4;
    };

    // The legend: the classes, and the meaning of hatching.
    const keysOf = (wide) =>
      flowed([...spec.series, { name: "being prepared", style: "ink-soft", hatched: true }], wide, (entry) => 46 + widthOf(entry.name));

    const paint = (pen) => {
      for (const k of shown) {
        pen.rect(k.x, k.y + 3, 24, 11, k.hatched ? { hatch: k.style, stroke: k.style } : { fill: k.style });
        pen.text(k.x + 30, k.y + 9, k.name);
      }
      const ticks = d3.ticks(view[0], view[1], Math.max(2, (width - left) / 90));
      for (const t of ticks) {
        pen.line(x(t), head - 4, x(t), bottom, "line");
        pen.text(x(t), head - 12, number(t), { anchor: "middle", color: "ink-soft" });
      }
      pen.text(left - 12, head - 12, axis(), { anchor: "end", color: "ink-soft" });
      spec.rows.forEach((name, r) => {
        pen.text(left - 8, tops[r] + ticksHeight + Math.max(6, lanes[r] * lane / 2), fitted(name, left - 12), { anchor: "end" });
        pen.line(left, tops[r] - 1.5, width - 8, tops[r] - 1.5, "line");
      });
      for (let i = 0; i < bars.id.length; i++) bar(pen, i);
      for (let i = 0; i < events.id.length; i++) tick(pen, i);
    };
    const bar = (pen, i) => {
      const [start, run, end] = ["start", "run", "end"].map((part) => Math.max(left, Math.min(x(bars[part][i]), width - 8)));
      if (bars.end[i] < view[0] || bars.start[i] > view[1]) return;
      const y = tops[bars.row[i]] + ticksHeight + bars.lane[i] * lane, { style } = seriesOf(i);
      const high = lane > 4 ? lane - 1 : lane - 0.5;
      if (run > start) pen.rect(start, y, run - start, high, { hatch: style });
      // A gap separates neighbouring bars, where there is room for it.
      if (end > run) pen.rect(run, y, Math.max(0.5, end - run - (end - run > 3 ? 0.75 : 0)), high, { fill: style });
      if (lane > 12 && end - run > widthOf(bars.label[i]) + 8) pen.text(run + 4, y + high / 2, bars.label[i], { color: "ground" });
    };
    const tick = (pen, i) => {
      const px = x(events.time[i]);
      if (px < left || px > width - 8) return;
      const r = events.at[i], y = r < 0 ? head - 6 : tops[r];
      pen.line(px, y, px, y + ticksHeight - 1, "ink");
    };

    const over = (pen) => {
      const px = Math.max(left, Math.min(x(play.time), width - 8));
      pen.rect(px, head - 2, width - 8 - px, bottom - head + 2, { fill: "ground", alpha: 0.6 });
      pen.line(px, head - 6, px, bottom, "accent", 2);
      if (player.selected) mark(pen, player.selected);
    };
    const mark = (pen, selected) => {
      if (selected.event) {
        const px = x(events.time[selected.i]), r = events.at[selected.i];
        if (px >= left) pen.rect(px - 3, r < 0 ? head - 8 : tops[r] - 1, 6, ticksHeight + 2, { stroke: "accent", width: 2 });
        return;
      }
      const { i } = selected, start = Math.max(left, x(bars.start[i])), end = Math.min(width - 8, x(bars.end[i]));
      const y = tops[bars.row[i]] + ticksHeight + bars.lane[i] * lane;
      pen.rect(start - 1, y - 1, Math.max(3, end - start + 2), lane + 1, { stroke: "ink", width: 2 });
    };

    // Moves the visible range until it includes a time; returns whether it had to move.
    const reveal = (t) => {
      const span = view[1] - view[0];
      if (t >= view[0] && t <= view[1]) return false;
      const start = Math.max(from, Math.min(t - span / 10, to - span));
      view = [start, start + span];
      return true;
    };
    const zoom = (factor) => {
      const span = Math.max((to - from) / 1000, Math.min((view[1] - view[0]) * factor, to - from));
      const start = Math.max(from, Math.min(play.time - span / 2, to - span));
      view = [start, start + span];
      player.redraw();
    };

    const told = (i) => `${bars.label[i]} (${bars.series[i]}) on ${spec.rows[bars.row[i]]}: ` +
      `from ${number(bars.start[i])}, runs from ${number(bars.run[i])} to ${number(bars.end[i])}`;
    // What is at a point of the picture: a tick, a bar, or nothing.
    const hit = (px, py) => {
      const r = d3.bisectRight(tops, py) - 1;
      if (r < 0 || px < left) return null;
      const t = at(px), slack = at(px + 4) - t;
      if (py < tops[r] + ticksHeight) {
        const away = (i) => Math.abs(events.time[i] - t);
        const i = d3.least(d3.range(events.id.length).filter((i) => events.at[i] === r && away(i) <= slack), away);
        return i === undefined ? null : { event: true, i, time: t };
      }
      const on = Math.floor((py - tops[r] - ticksHeight) / lane);
      const i = inRow(r).findLast((i) => bars.lane[i] === on && bars.start[i] <= t);
      return i !== undefined && t < bars.end[i] + slack ? { event: false, i, time: t } : null;
    };
    const inRow = (r) => d3.range(bars.id.length).filter((i) => bars.row[i] === r);

    // Moves to the next bar of the row, or to the bar in another row that begins
    // nearest.
    const read = (across, down) => {
      const { selected } = player, current = selected && !selected.event ? selected.i : null;
      const r = current === null ? Math.max(0, selected ? events.at[selected.i] : 0) : bars.row[current];
      const order = d3.range(spec.rows.length);
      if (down) {
        const found = (down > 0 ? order.slice(r + 1) : order.slice(0, r).reverse()).find((other) => inRow(other).length);
        const t = current === null ? play.time : bars.start[current];
        if (found !== undefined) reach(d3.least(inRow(found), (i) => Math.abs(bars.start[i] - t)));
        return;
      }
      const list = inRow(r);
      if (!list.length) return;
      const k = current === null ? Math.max(0, d3.bisector((i) => bars.start[i]).right(list, play.time) - 1) : list.indexOf(current) + across;
      reach(list[Math.max(0, Math.min(k, list.length - 1))]);
    };
    const reach = (i) => {
      player.select({ event: false, i }, Math.max(bars.start[i], Math.min(view[0], bars.end[i])));
      const top = tops[bars.row[i]], end = top + lanes[bars.row[i]] * lane + ticksHeight;
      field.scrollTop = Math.max(end - field.clientHeight, Math.min(field.scrollTop, top));
    };

    const keys = {
      ArrowLeft: () => read(-1, 0), ArrowRight: () => read(1, 0), ArrowUp: () => read(0, -1), ArrowDown: () => read(0, 1),
      "+": () => zoom(0.5), "-": () => zoom(2),
    };

    const take = () => {
      spec = player.spec;
      ({ intervals: bars, events } = spec);
      lanes = spec.rows.map((_, r) => 1 + (d3.max(inRow(r), (i) => bars.lane[i]) ?? 0));
      const times = Float64Array.from([...bars.start, ...bars.run, ...bars.end]).sort();
      [from, to] = d3.extent([times[0], times.at(-1), ...d3.extent(events.time)]);
      view = [from, to > from ? to : from + 1];
      return {
        from, to, start: spec.seek || to, times: Float64Array.from(new Set(times)),
        label: `${bars.id.length} bars in ${spec.rows.length} rows; arrow keys read the bars, Enter chooses one, plus and minus zoom`,
      };
    };

    play.element.append(tool("−", "Zoom out (-)", () => zoom(2)), tool("+", "Zoom in (+)", () => zoom(0.5)));
    return {
      role: "timeline", className: "timeline-field", whole: true, take, measure, paint, over, reveal, hit, told, keys,
      said: (i) => `${number(events.time[i])}: ${events.text[i]}`,
      missed: (px) => { if (px >= left) play.seek(at(px)); },
    };
  });

  const tool = (text, label, act) => {
    const element = made("button", "button");
    Object.assign(element, { type: "button", textContent: text, title: label });
    element.setAttribute("aria-label", label);
    element.addEventListener("click", act);
    return element;
  };

  Object.assign(berth.chart, { timeline });
})();
