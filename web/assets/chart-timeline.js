// What runs where over time: a row for each host with a bar for each instance, hatched
// during preparation and solid while it runs; above the bars a tick for each event. A
// veil covers what is later than the player's time.
"use strict";

(() => {
  const { number, made, widthOf, fitted, flowed, played } = berth.chartKit;

  const ticksHeight = 5; // above the lanes of a row, for events
  const gap = 3;         // below them

  // spec: { xLabel, rows: [names], series: [{ name, style }], seek,
  //         ids, row, kind, lane: Int32Array and labels: one for each interval, by start,
  //         times: Float64Array of start, run, end of each,
  //         lanes: Int32Array, how many of each row,
  //         events: { ids, at: Int32Array, times: Float64Array, texts } }
  const timeline = played((player) => {
    const { field, play } = player;
    let spec = player.spec, from = 0, to = 1, view = [0, 1]; // view: the times on screen
    let left = 0, width = 0, tops = [], lane = 6, head = 0, bottom = 0, shown = [];

    const time = (i, part) => spec.times[3 * i + part];
    const x = (t) => left + (t - view[0]) / (view[1] - view[0]) * (width - left - 8);
    const at = (px) => view[0] + (px - left) / (width - left - 8) * (view[1] - view[0]);

    const axis = () => `${spec.xLabel} →`;
    const measure = (wide) => {
      width = wide;
      left = Math.max(widthOf(axis()) + 16, Math.min(wide / 4, (d3.max(spec.rows, widthOf) ?? 0) + 12));
      const lanes = d3.sum(spec.lanes);
      lane = Math.max(3, Math.min(15, Math.floor((480 - spec.rows.length * (ticksHeight + gap)) / lanes)));
      const keys = keysOf(wide);
      shown = keys.placed;
      bottom = head = keys.height + 30;
      tops = Array.from(spec.lanes, (n) => { const top = bottom; bottom += Math.max(14, n * lane + ticksHeight + gap); return top; });
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
        pen.text(left - 8, tops[r] + ticksHeight + Math.max(6, spec.lanes[r] * lane / 2), fitted(name, left - 12), { anchor: "end" });
        pen.line(left, tops[r] - 1.5, width - 8, tops[r] - 1.5, "line");
      });
      for (let i = 0; i < spec.ids.length; i++) bar(pen, i);
      for (let i = 0; i < spec.events.ids.length; i++) tick(pen, i);
    };
    const bar = (pen, i) => {
      const [start, run, end] = [0, 1, 2].map((part) => Math.max(left, Math.min(x(time(i, part)), width - 8)));
      if (time(i, 2) < view[0] || time(i, 0) > view[1]) return;
      const y = tops[spec.row[i]] + ticksHeight + spec.lane[i] * lane, { style } = spec.series[spec.kind[i]];
      const high = lane > 4 ? lane - 1 : lane - 0.5;
      if (run > start) pen.rect(start, y, run - start, high, { hatch: style });
      // A gap separates neighbouring bars, where there is room for it.
      if (end > run) pen.rect(run, y, Math.max(0.5, end - run - (end - run > 3 ? 0.75 : 0)), high, { fill: style });
      if (lane > 12 && end - run > widthOf(spec.labels[i]) + 8) pen.text(run + 4, y + high / 2, spec.labels[i], { color: "ground" });
    };
    const tick = (pen, i) => {
      const px = x(spec.events.times[i]);
      if (px < left || px > width - 8) return;
      const r = spec.events.at[i], y = r < 0 ? head - 6 : tops[r];
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
        const px = x(spec.events.times[selected.i]), r = spec.events.at[selected.i];
        if (px >= left) pen.rect(px - 3, r < 0 ? head - 8 : tops[r] - 1, 6, ticksHeight + 2, { stroke: "accent", width: 2 });
        return;
      }
      const { i } = selected, start = Math.max(left, x(time(i, 0))), end = Math.min(width - 8, x(time(i, 2)));
      const y = tops[spec.row[i]] + ticksHeight + spec.lane[i] * lane;
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

    const told = (i) => `${spec.labels[i]} (${spec.series[spec.kind[i]].name}) on ${spec.rows[spec.row[i]]}: ` +
      `from ${number(time(i, 0))}, runs from ${number(time(i, 1))} to ${number(time(i, 2))}`;
    // What is at a point of the picture: a tick, a bar, or nothing.
    const hit = (px, py) => {
      const r = d3.bisectRight(tops, py) - 1;
      if (r < 0 || px < left) return null;
      const t = at(px), slack = at(px + 4) - t;
      if (py < tops[r] + ticksHeight) {
        const away = (i) => Math.abs(spec.events.times[i] - t);
        const i = d3.least(d3.range(spec.events.ids.length).filter((i) => spec.events.at[i] === r && away(i) <= slack), away);
        return i === undefined ? null : { event: true, i, time: t };
      }
      const on = Math.floor((py - tops[r] - ticksHeight) / lane);
      const i = bars(r).findLast((i) => spec.lane[i] === on && time(i, 0) <= t);
      return i !== undefined && t < time(i, 2) + slack ? { event: false, i, time: t } : null;
    };
    const bars = (r) => d3.range(spec.ids.length).filter((i) => spec.row[i] === r);

    // Moves to the next bar of the row, or to the bar in another row that begins
    // nearest.
    const read = (across, down) => {
      const { selected } = player, current = selected && !selected.event ? selected.i : null;
      const r = current === null ? Math.max(0, selected ? spec.events.at[selected.i] : 0) : spec.row[current];
      const order = d3.range(spec.rows.length);
      if (down) {
        const found = (down > 0 ? order.slice(r + 1) : order.slice(0, r).reverse()).find((other) => bars(other).length);
        const t = current === null ? play.time : time(current, 0);
        if (found !== undefined) reach(d3.least(bars(found), (i) => Math.abs(time(i, 0) - t)));
        return;
      }
      const list = bars(r);
      if (!list.length) return;
      const k = current === null ? Math.max(0, d3.bisector((i) => time(i, 0)).right(list, play.time) - 1) : list.indexOf(current) + across;
      reach(list[Math.max(0, Math.min(k, list.length - 1))]);
    };
    const reach = (i) => {
      player.select({ event: false, i }, Math.max(time(i, 0), Math.min(view[0], time(i, 2))));
      const top = tops[spec.row[i]], end = top + spec.lanes[spec.row[i]] * lane + ticksHeight;
      field.scrollTop = Math.max(end - field.clientHeight, Math.min(field.scrollTop, top));
    };

    const keys = {
      ArrowLeft: () => read(-1, 0), ArrowRight: () => read(1, 0), ArrowUp: () => read(0, -1), ArrowDown: () => read(0, 1),
      "+": () => zoom(0.5), "-": () => zoom(2),
    };

    const take = () => {
      spec = player.spec;
      [from, to] = d3.extent([...d3.extent(spec.times), ...d3.extent(spec.events.times)]);
      view = [from, to > from ? to : from + 1];
      return {
        from, to, start: spec.seek || to, times: Float64Array.from(new Set(Float64Array.from(spec.times).sort())),
        label: `${spec.ids.length} bars in ${spec.rows.length} rows; arrow keys read the bars, Enter chooses one, plus and minus zoom`,
      };
    };

    play.element.append(tool("−", "Zoom out (-)", () => zoom(2)), tool("+", "Zoom in (+)", () => zoom(0.5)));
    return {
      role: "timeline", className: "timeline-field", whole: true, take, measure, paint, over, reveal, hit, told, keys,
      said: (i) => `${number(spec.events.times[i])}: ${spec.events.texts[i]}`,
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
