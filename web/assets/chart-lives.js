// What became of each request over time: a strip for each, in a band for each class and a
// panel for each policy, and at its end a bar of the availability that it reached, with a
// line at the SLO. Where strips are thinner than a pixel, each line of pixels stands for
// several: its colour is as strong as the part of them that runs.
"use strict";

(() => {
  const { number, widthOf, played } = berth.chartKit;

  const heading = 22, axisHeight = 22, bandGap = 4, panelGap = 8, thinnest = 1, most = 12; // pixels
  const [runs, preempted] = [0, 1];

  const lives = played((player) => {
    const { field, play } = player;
    let spec = player.spec, items, groups = [], to = 1, left = 0, right = 0, width = 0, bottom = 0;

    const x = (t) => left + t / to * (right - left);

    // The requests of each band of each panel, with the place of the band.
    const grouped = () => {
      const all = [];
      for (let i = 0; i < items.id.length; i++) {
        const last = all.at(-1);
        if (last?.panel === items.panel[i] && last.band === items.band[i]) last.end = i + 1;
        else all.push({ panel: items.panel[i], band: items.band[i], begin: i, end: i + 1 });
      }
      return all;
    };

    const measure = (wide) => {
      width = wide;
      left = 8 + Math.max(widthOf(spec.xLabel), ...spec.bands.map((b) => widthOf(b.name)));
      const bars = wide < 560 ? 56 : 120;
      right = wide - bars - 8;
      const picture = field.closest("[data-mode=stage] .stage-picture");
      const above = picture ? field.getBoundingClientRect().top - picture.getBoundingClientRect().top + 28 : 0;
      const below = field.closest(".beside") ? 120 : 0; // the table of differences begins there
      const room = Math.max(280, picture ? picture.clientHeight - above - below : 480);
      const fixed = spec.panels.length * (heading + panelGap) + groups.length * bandGap + axisHeight + 20;
      const row = Math.min(most, (room - fixed) / items.id.length);
      let y = 20, panel = -1;
      for (const g of groups) {
        if (g.panel !== panel) {
          y += heading + (panel < 0 ? 0 : panelGap);
          panel = g.panel;
        }
        const n = g.end - g.begin;
        g.top = y;
        g.lines = row >= thinnest ? n : Math.max(1, Math.floor(n * row / thinnest));
        g.high = Math.max(14, row >= thinnest ? n * row : g.lines * thinnest);
        y += g.high + bandGap;
      }
      bottom = y;
      return bottom + axisHeight;
    };

    const paint = (pen) => {
      legend(pen);
      let panel = -1;
      for (const g of groups) {
        const band = spec.bands[g.band];
        if (g.panel !== panel) head(pen, g, panel = g.panel);
        pen.text(left - 6, g.top + g.high / 2, band.name, { anchor: "end", color: "ink-soft" });
        pen.rect(left, g.top, right - left, g.high, { fill: "surface" });
        const high = g.high / g.lines, n = g.end - g.begin;
        for (let k = 0; k < g.lines; k++) {
          line(pen, g, Math.floor(k * n / g.lines), Math.floor((k + 1) * n / g.lines), g.top + k * high, high > 3 ? high - 1 : high, band);
        }
        const mark = bar(band.limit);
        pen.line(mark, g.top - 1, mark, g.top + g.high + 1, "ink", 2);
      }
      for (const t of d3.ticks(0, to, Math.max(2, (right - left) / 110))) {
        pen.line(x(t), bottom - 2, x(t), bottom + 3, "line-strong");
        pen.text(x(t), bottom + 11, number(t), { anchor: "middle", color: "ink-soft" });
      }
      pen.text(left - 6, bottom + 11, spec.xLabel, { anchor: "end", color: "ink-soft" });
    };
    const bar = (value) => right + 8 + value * (width - right - 10);
    const head = (pen, g, panel) => {
      const { name, says } = spec.panels[panel];
      pen.text(0, g.top - 12, name, { bold: true });
      if (widthOf(name + says) + 32 < right) pen.text(widthOf(name) * 1.1 + 12, g.top - 12, says, { color: "ink-soft" });
      if (panel === 0 && width >= 560) pen.text(width - 2, g.top - 12, "availability, SLO", { anchor: "end", color: "ink-soft" });
    };
    const legend = (pen) => {
      let px = 0;
      const entries = [["runs", "ink-soft"], ["preempted", "bad"], ["waits", "surface"]];
      for (const [name, fill] of entries) {
        pen.rect(px + 0.5, 3.5, 20, 10, { fill, alpha: fill === "bad" ? 0.35 : 1, stroke: "line-strong" });
        pen.text(px + 26, 9, name);
        px += 26 + widthOf(name) + 16;
      }
    };

    // A line of pixels, or a strip: the requests from a to b of a band.
    const line = (pen, g, a, b, y, high, band) => {
      const one = b - a === 1;
      for (const kind of [runs, preempted]) {
        const [fill, strength] = kind === runs ? [band.style, 1] : ["bad", 0.35];
        if (one) {
          spans(g.begin + a, kind, (from, till) => pen.rect(x(from), y, Math.max(0.5, x(till) - x(from)), high, { fill, alpha: strength }));
          continue;
        }
        const change = new Float32Array(Math.ceil(right - left) + 2);
        for (let i = g.begin + a; i < g.begin + b; i++) {
          spans(i, kind, (from, till) => { change[Math.floor(x(from) - left)]++; change[Math.floor(x(till) - left)]--; });
        }
        let count = 0, since = 0;
        change.forEach((d, px) => {
          if (d === 0) return;
          if (count > 0) pen.rect(left + since, y, px - since, high, { fill, alpha: strength * count / (b - a) });
          count += d;
          since = px;
        });
      }
      const mean = d3.mean(items.reached.subarray(g.begin + a, g.begin + b));
      pen.rect(bar(0), y, Math.max(0, bar(mean) - bar(0)), high, { fill: band.style, alpha: 0.6 });
    };
    const spans = (i, kind, draw) => {
      const { first, preempted, from, to } = items.spans;
      for (let s = first[i]; s < first[i + 1]; s++) if (preempted[s] === kind) draw(from[s], to[s]);
    };

    const over = (pen) => {
      const px = x(Math.min(play.time, to));
      pen.rect(px, 20, right - px, bottom - 20, { fill: "ground", alpha: 0.6 });
      if (play.time < to) pen.line(px, 20, px, bottom, "accent", 2);
      const { selected } = player;
      if (selected && !selected.event) {
        const g = groups.find((g) => selected.i < g.end), n = g.end - g.begin, high = g.high / n;
        pen.rect(left - 1, g.top + (selected.i - g.begin) * high - 1, width - left, Math.max(3, high + 1), { stroke: "ink", width: 2 });
      }
    };

    const told = (i) => `request ${items.label[i]} (${spec.bands[items.band[i]].name}) under ${spec.panels[items.panel[i]].name}: ` +
      `available ${number(100 * items.reached[i])} % of its time, promised ${number(100 * spec.bands[items.band[i]].limit)} %`;
    const hit = (px, py) => {
      const g = groups.find((g) => py >= g.top && py < g.top + g.high);
      return g ? { event: false, i: g.begin + Math.min(g.end - g.begin - 1, Math.floor((py - g.top) / g.high * (g.end - g.begin))) } : null;
    };
    const step = (by) => {
      const { selected } = player;
      player.select({ event: false, i: Math.max(0, Math.min(items.id.length - 1, selected && !selected.event ? selected.i + by : 0)) });
    };
    const keys = { ArrowUp: () => step(-1), ArrowDown: () => step(1) };

    const take = () => {
      spec = player.spec;
      ({ items } = spec);
      groups = grouped();
      to = d3.max([d3.max(items.spans.to), d3.max(items.arrival), 1]);
      return {
        from: 0, to, start: to, times: [],
        label: `${items.id.length} requests; up and down read them, Enter chooses one`,
      };
    };

    const moved = () => play.time < to;
    return { role: "chart of requests", className: "lives-field", explains: true, whole: true, take, measure, paint, over, moved, hit, told, keys };
  });

  Object.assign(berth.chart, { lives });
})();
