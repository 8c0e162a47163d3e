// Charts with one row for each thing compared: bars, stacked bars, box plots.
"use strict";

(() => {
  const { color, live, number, percent, fromZero, common, tip, widthOf, fitted, patterns, legend, told, axisOf } = berth.chartKit;

  // Rows of this height, with their labels at the left.
  const rows = (labels, width, height) => {
    const room = Math.min(0.4 * width, (d3.max(labels, widthOf) ?? 0) + 16);
    return {
      ...common(width),
      marginLeft: room,
      marginRight: 64,
      marginBottom: 40,
      y: { label: null, domain: labels, padding: 0.25, tickSize: 0, tickFormat: (label) => fitted(label, room - 8) },
      height: height * labels.length + 48,
    };
  };
  const axis = (label, width, most, tickFormat) => ({ ...axisOf(label, false, [0, most], width), ...(tickFormat && { tickFormat }), grid: true, ...fromZero(most) });

  const bars = (container, spec, width) => {
    const interval = spec.items.filter((d) => d.low !== d.high);
    const before = spec.items.filter((d) => d.was !== undefined);
    const published = spec.items.filter((d) => d.paper !== undefined);
    const end = (d) => Math.max(0, d.value, d.high, d.was ?? 0, d.paper ?? 0);
    container.replaceChildren(Plot.plot({
      ...rows(spec.items.map((d) => d.label), width, 24),
      marginTop: 4,
      x: axis(spec.unit, width, d3.max(spec.items, (d) => Math.max(Math.abs(d.value), d.high, d.was ?? 0, d.paper ?? 0))),
      marks: [
        Plot.link(before, { x1: 0, x2: "was", y1: "label", y2: "label", stroke: (d) => color(d.style), strokeWidth: 3 }),
        Plot.barX(spec.items, { x: "value", y: "label", fill: (d) => color(d.style) }),
        Plot.tickX(before, { x: "was", y: "label", stroke: "var(--ink)", strokeDasharray: "2 2" }),
        Plot.link(interval, { x1: "low", x2: "high", y1: "label", y2: "label", stroke: "var(--ink)", strokeWidth: 2 }),
        Plot.tickX(interval, { x: "low", y: "label", stroke: "var(--ink)", inset: 5 }),
        Plot.tickX(interval, { x: "high", y: "label", stroke: "var(--ink)", inset: 5 }),
        Plot.dot(published, { x: "paper", y: "label", symbol: "diamond", r: 6, stroke: "var(--ink)", strokeWidth: 1.5, fill: "var(--ground)", title: (d) => `paper: ${number(d.paper)}` }),
        Plot.text(spec.items, { x: end, y: "label", text: (d) => told(spec.unit)(d.value), textAnchor: "start", dx: 6, fill: "var(--ink)" }),
        Plot.ruleX([0], { stroke: "var(--ink)" }),
      ],
    }));
  };

  const stacks = (container, spec, width) => {
    const { mark, fill } = patterns(container, spec.parts);
    const key = legend(spec.parts.map((d, i) => ({ name: d.name, fill: fill(i) })), width);
    const sums = spec.items.map((d) => ({ label: d.label, sum: d3.sum(d.values) }));
    const pieces = spec.parts.map((part, i) => spec.items.map((d, j) => {
      const whole = spec.shares ? sums[j].sum || 1 : 1;
      const before = d3.sum(d.values.subarray(0, i)) / whole;
      return { label: d.label, part: part.name, value: d.values[i], share: d.values[i] / (sums[j].sum || 1), low: before, high: before + d.values[i] / whole };
    }));
    const frame = rows(spec.items.map((d) => d.label), width, 28);
    container.replaceChildren(Plot.plot({
      ...frame,
      height: frame.height + key.height,
      marginTop: key.height + 4,
      x: spec.shares ? axis("share", width, 1, percent) : axis(spec.unit, width, d3.max(sums, (d) => d.sum)),
      marks: [
        mark, key.mark,
        ...pieces.map((list, i) => Plot.barX(list, { x1: "low", x2: "high", y: "label", fill: fill(i) })),
        Plot.text(sums, { x: (d) => spec.shares ? 1 : d.sum, y: "label", text: (d) => told(spec.unit)(d.sum), textAnchor: "start", dx: 6, fill: "var(--ink)" }),
        Plot.ruleX([0], { stroke: "var(--ink)" }),
        Plot.tip(pieces.flat(), Plot.pointer({
          x: (d) => (d.low + d.high) / 2, y: "label", title: (d) => `${d.label}\n${d.part}: ${told(spec.unit)(d.value)}${spec.unit === "s" ? "" : ` ${spec.unit}`} (${percent(d.share)})`, ...tip })),
      ],
    }));
  };

  // The densities of the groups that have a shape, mirrored at the middle of each row.
  const violins = (items) => (_, { x, y }) => {
    const half = y.bandwidth() / 2;
    const g = d3.create("svg:g").attr("data-violin", "");
    for (const d of items.filter((d) => d.shape.length > 1)) {
      const points = Array.from(d.shape, (density, i) => [x(d.low + (d.high - d.low) * i / (d.shape.length - 1)), half * density]);
      g.append("path").attr("transform", `translate(0 ${y(d.label) + half})`)
        .attr("d", d3.area().x(([at]) => at).y0(([, r]) => -r).y1(([, r]) => r)(points))
        .attr("fill", color(d.style)).attr("fill-opacity", 0.3).attr("stroke", color(d.style)).attr("stroke-width", 1);
    }
    return g.node();
  };

  // The counts have a column of their own, so that they do not cover the diamond of a
  // mean at the edge.
  const boxes = (container, spec, width) => {
    const items = spec.items.map((d) => ({ ...d, label: d.group ? `${d.group} · ${d.name}` : d.name }));
    const known = items.filter((d) => d.median !== undefined);
    const meant = known.filter((d) => d.mean !== undefined);
    const sure = meant.filter((d) => d.meanLow !== undefined && d.meanLow !== d.meanHigh);
    const stroke = (d) => color(d.style);
    const slim = spec.items.some((d) => d.shape.length > 1); // boxes within violins
    const inset = slim ? { insetTop: 8, insetBottom: 8 } : {};
    const tell = (d) => [`${d.label}, ${number(d.count)}`, `median ${number(d.median)}, quartiles ${number(d.q1)} to ${number(d.q3)}`,
      `mean ${number(d.mean)} (${number(d.meanLow)} to ${number(d.meanHigh)})`, `whiskers ${number(d.low)} to ${number(d.high)}`].join("\n");
    container.replaceChildren(Plot.plot({
      ...rows(items.map((d) => d.label), width, 40),
      marginTop: 4,
      marginRight: 76,
      x: axis(spec.unit, width, d3.max(known, (d) => Math.max(Math.abs(d.low), Math.abs(d.high)))),
      marks: [
        violins(known),
        Plot.link(known, { x1: "low", x2: "high", y1: "label", y2: "label", stroke, strokeWidth: 1.5 }),
        Plot.tickX(known, { x: "low", y: "label", stroke, inset: slim ? 9 : 5 }),
        Plot.tickX(known, { x: "high", y: "label", stroke, inset: slim ? 9 : 5 }),
        Plot.barX(known, { x1: "q1", x2: "q3", y: "label", fill: "var(--ground)", ...inset }),
        Plot.barX(known, { x1: "q1", x2: "q3", y: "label", fill: stroke, fillOpacity: 0.3, stroke, strokeWidth: 1.5, ...inset }),
        Plot.tickX(known, { x: "median", y: "label", stroke, strokeWidth: 3, ...inset }),
        Plot.link(sure, { x1: "meanLow", x2: "meanHigh", y1: "label", y2: "label", stroke: "var(--ink)", strokeWidth: 2 }),
        Plot.tickX(sure, { x: "meanLow", y: "label", stroke: "var(--ink)", inset: 6 }),
        Plot.tickX(sure, { x: "meanHigh", y: "label", stroke: "var(--ink)", inset: 6 }),
        Plot.dot(meant, { x: "mean", y: "label", symbol: "diamond", r: 4, fill: "var(--ink)" }),
        Plot.text(items, { y: "label", text: (d) => `n = ${number(d.count)}`, frameAnchor: "right", textAnchor: "start", dx: 12, fill: "var(--ink-soft)" }),
        Plot.tip(known, Plot.pointerY({ x: "median", y: "label", title: tell, ...tip })),
      ],
    }));
  };

  Object.assign(berth.chart, { bars: live(bars), stacks: live(stacks), boxes: live(boxes) });
})();
