// Charts with a horizontal axis of figures: lines, stacked areas, histograms.
"use strict";

(() => {
  const { color, dash, symbol, live, number, fromZero, common, tip, patterns, legend, weight, told, axisOf, rules } = berth.chartKit;

  const height = (width) => Math.max(200, Math.min(360, width * 0.6));
  const frame = (width, key) => ({ ...common(width), height: height(width) + key.height, marginTop: key.height + 24, marginLeft: 56, marginBottom: 40 });

  const pointsOf = (columns, name) => Array.from(columns.x, (x, i) => ({ x, y: columns.y[i], low: columns.low[i], high: columns.high[i], name }));
  // The points of a series that the axes can show.
  const shownOf = ({ logX, logY }) => (series) => ({ ...series, points: pointsOf(series.points, series.name)
    .filter(({ x, y }) => Number.isFinite(x + y) && !(logX && x <= 0 || logY && y <= 0))
    .map((d) => ({ ...d, low: logY ? Math.max(d.low, d.y / 1000) : d.low })) });

  const lines = (container, spec, width) => {
    const series = spec.series.map(shownOf(spec));
    const all = series.flatMap((s) => s.points);
    const paper = pointsOf(spec.published, "paper");
    const curve = spec.steps ? "step-after" : "linear";
    const shown = !spec.plain;
    const key = legend(series.map((s) => ({
      name: s.name, style: s.style, behind: s.behind, line: dash(s.style, s.variant), symbol: shown ? symbol(s.style) : null,
    })), width, 20);
    const tall = height(width);
    const x = axisOf(spec.xLabel, spec.logX, d3.extent([...all, ...paper], (d) => d.x), width - 80);
    const y = axisOf(spec.yLabel, spec.logY, d3.extent([...all, ...paper], (d) => d.y), tall);
    container.replaceChildren(Plot.plot({
      ...frame(width, key),
      grid: true,
      x,
      y: { ...y, ...(spec.logY ? {} : fromZero(d3.max([...all, ...paper], (d) => Math.max(Math.abs(d.y), d.high)))) },
      marks: [
        key.mark, x.drawn?.(Plot.axisX), y.drawn?.(Plot.axisY),
        spec.logY ? null : Plot.ruleY([0], { stroke: "var(--ink)" }),
        ...series.flatMap((s) => seriesMarks(s, curve, shown)),
        Plot.dot(paper, { x: "x", y: "y", symbol: "diamond", r: 6, stroke: "var(--ink)", strokeWidth: 1.5, fill: "var(--ground)" }),
        ...rules(spec.rules),
        Plot.tip([...all, ...paper], Plot.pointer({ x: "x", y: "y", title: (d) => `${d.name}\n${told(spec.xLabel)(d.x)}: ${told(spec.yLabel)(d.y)}`, ...tip })),
      ],
    }));
  };

  const seriesMarks = ({ style, variant, behind, points }, curve, shown) => {
    const interval = points.filter((d) => d.low !== d.high);
    const stroke = color(style);
    return [
      Plot.ruleX(interval, { x: "x", y1: "low", y2: "high", stroke, strokeWidth: 1.5 }),
      Plot.line(points, { x: "x", y: "y", stroke, strokeWidth: weight({ behind }), strokeDasharray: dash(style, variant), curve }),
      shown ? Plot.dot(points, { x: "x", y: "y", stroke, fill: behind ? "none" : stroke, symbol: symbol(style), r: behind ? 2.5 : 4 }) : null,
    ];
  };

  // The layers, stacked: for each one its points { x, low, high }.
  const stacked = (x, layers) => {
    const top = new Float64Array(x.length);
    return layers.map((layer) => Array.from(x, (at, i) => ({ x: at, low: top[i], high: top[i] += layer.values[i] })));
  };

  const qualified = (layers, as) => as ? layers.map((d) => ({ ...d, name: `${d.name} ${as}` })) : layers;
  const areas = (container, spec, width) => {
    const layers = qualified(spec.layers, spec.filledAs), outlines = qualified(spec.outlines, spec.outlinedAs);
    const { mark, fill } = patterns(container, layers);
    const key = legend([
      ...layers.map((d, i) => ({ name: d.name, fill: fill(i) })),
      ...outlines.map((d) => ({ name: d.name, style: d.style, line: dash(d.style) })),
    ], width, 20);
    const curve = spec.steps ? "step-after" : "linear";
    const filled = stacked(spec.x, layers), lined = stacked(spec.x, outlines);
    const tops = Array.from(spec.x, (x, i) => ({ x, y: Math.max(filled.at(-1)?.[i].high ?? 0, lined.at(-1)?.[i].high ?? 0), i }));
    const tell = ({ x, i }) => [`${spec.xLabel}: ${told(spec.xLabel)(x)}`,
      ...[...layers, ...outlines].map((d) => `${d.name}: ${number(d.values[i])}`)].join("\n");
    const tall = height(width);
    container.replaceChildren(Plot.plot({
      ...frame(width, key),
      x: axisOf(spec.xLabel, false, d3.extent(spec.x), width),
      y: { ...axisOf(spec.yLabel, false, [], tall), grid: true, zero: true },
      marks: [
        mark, key.mark,
        ...filled.map((points, i) => Plot.areaY(points, { x: "x", y1: "low", y2: "high", fill: fill(i), curve })),
        ...lined.map((points, i) => Plot.line(points, {
          x: "x", y: "high", stroke: color(outlines[i].style), strokeWidth: 2, strokeDasharray: dash(outlines[i].style), curve })),
        Plot.ruleY([0], { stroke: "var(--ink)" }),
        ...rules(spec.rules),
        Plot.ruleX(tops, Plot.pointerX({ x: "x", stroke: "var(--ink-soft)" })),
        Plot.tip(tops, Plot.pointerX({ x: "x", y: "y", title: tell, ...tip })),
      ],
    }));
  };

  const histogram = (container, spec, width) => {
    const key = legend(spec.series.map((s) => ({ ...s, line: dash(s.style) })), width, 20);
    const bins = spec.edges.length - 1, tall = height(width);
    const outline = (s) => Array.from(spec.edges, (x, i) => ({ x, y: s.values[Math.min(i, bins - 1)] }));
    const middles = d3.range(bins).map((i) => ({ i, x: (spec.edges[i] + spec.edges[i + 1]) / 2, y: d3.max(spec.series, (s) => s.values[i]) }));
    const tell = ({ i }) => [`${told(spec.xLabel)(spec.edges[i])} to ${told(spec.xLabel)(spec.edges[i + 1])}`,
      ...spec.series.map((s) => `${s.name}: ${number(s.values[i])}`)].join("\n");
    container.replaceChildren(Plot.plot({
      ...frame(width, key),
      x: axisOf(spec.xLabel, false, d3.extent(spec.edges), width - 80),
      y: { ...axisOf(spec.yLabel, false, [], tall), grid: true, zero: true },
      marks: [
        key.mark,
        ...spec.series.flatMap((s) => [
          s.behind ? null : Plot.areaY(outline(s), { x: "x", y: "y", fill: color(s.style), fillOpacity: 0.15, curve: "step-after" }),
          Plot.line(outline(s), { x: "x", y: "y", stroke: color(s.style), strokeWidth: weight(s), strokeDasharray: dash(s.style), curve: "step-after" }),
        ]),
        Plot.ruleY([0], { stroke: "var(--ink)" }),
        Plot.tip(middles, Plot.pointerX({ x: "x", y: "y", title: tell, ...tip })),
      ],
    }));
  };

  Object.assign(berth.chart, { lines: live(lines), areas: live(areas), histogram: live(histogram) });
})();
