// Charts on Observable Plot and d3, which are loaded before this file.
//
//   berth.chart.bars|lines|heatmap(container, spec) draws into container and
//   returns { update(spec), svg(), destroy() }
//
// The Go side (app/chart) builds the specs, each with a title. Colours are CSS variables, so a
// chart follows the theme without being drawn anew.
"use strict";

(() => {
  globalThis.berth ??= {};
  const color = (series) => `var(--series-${series % 8 + 1})`;

  // Draws again when the container's width changes, at most once a frame.
  const live = (container, spec, draw) => {
    let width = 0, pending = 0;
    const redraw = () => {
      pending = 0;
      width = container.clientWidth;
      if (!width) return;
      draw(container, spec, width);
      name([...container.querySelectorAll("svg")].at(-1), spec.title);
    };
    const observer = new ResizeObserver(() => {
      if (container.clientWidth !== width) pending ||= requestAnimationFrame(redraw);
    });
    observer.observe(container);
    redraw();
    return {
      update(next) { spec = next; redraw(); },
      svg: () => standalone(container),
      destroy() { observer.disconnect(); cancelAnimationFrame(pending); container.replaceChildren(); },
    };
  };

  // To a screen reader a chart is one picture; its figures are in the table.
  const name = (svg, title) => {
    for (const part of svg.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", title);
  };

  const number = (v) => v === null || Number.isNaN(v) ? "–" : d3.format(Math.abs(v) >= 1000 ? ",.0f" : ".3~g")(v).replaceAll(",", "\u202f");
  const common = (width) => ({
    width,
    style: { background: "none", color: "var(--ink)", fontFamily: "inherit", fontSize: "12px", overflow: "visible" },
  });

  // spec: { label, unit, series: [names], bars: [{ label, value, low, high, series }] }
  const bars = (container, spec, width) => {
    const interval = spec.bars.filter((d) => d.low !== d.high);
    const longest = d3.max(spec.bars, (d) => d.label.length) ?? 0;
    const end = (d) => Math.max(d.value, d.high);
    container.replaceChildren(Plot.plot({
      ...common(width),
      height: 24 * spec.bars.length + 48,
      marginLeft: Math.min(width / 3, 7 * longest + 16),
      marginRight: 64,
      marginTop: 4,
      marginBottom: 40,
      x: { label: spec.unit, grid: true, ticks: Math.max(2, width / 100), tickFormat: number, zero: true },
      y: { label: null, domain: spec.bars.map((d) => d.label), padding: 0.25, tickSize: 0 },
      marks: [
        Plot.barX(spec.bars, { x: "value", y: "label", fill: (d) => color(d.series) }),
        Plot.link(interval, { x1: "low", x2: "high", y1: "label", y2: "label", stroke: "var(--ink)", strokeWidth: 2 }),
        Plot.tickX(interval, { x: "low", y: "label", stroke: "var(--ink)", inset: 5 }),
        Plot.tickX(interval, { x: "high", y: "label", stroke: "var(--ink)", inset: 5 }),
        Plot.text(spec.bars, { x: end, y: "label", text: (d) => number(d.value), textAnchor: "start", dx: 6, fill: "var(--ink)" }),
        Plot.ruleX([0], { stroke: "var(--ink)" }),
      ],
    }));
  };

  const symbols = ["circle", "square", "triangle", "diamond", "cross", "star", "wye", "times"];

  // spec: { xLabel, yLabel, series: [names], connected, points: [{ series, x, y, low, high }] }
  const lines = (container, spec, width) => {
    const series = (d) => spec.series[d.series];
    const interval = spec.points.filter((d) => d.low !== d.high);
    const plot = Plot.plot({
      ...common(width),
      height: Math.max(200, Math.min(360, width * 0.6)),
      marginLeft: 56,
      marginBottom: 40,
      grid: true,
      x: { label: spec.xLabel, tickFormat: number, ticks: Math.max(2, width / 90) },
      y: { label: spec.yLabel, tickFormat: number, zero: true },
      color: { domain: spec.series, range: spec.series.map((_, i) => color(i)) },
      symbol: { domain: spec.series, range: spec.series.map((_, i) => symbols[i % 8]), legend: spec.series.length > 1 },
      marks: [
        Plot.ruleY([0], { stroke: "var(--ink)" }),
        Plot.ruleX(interval, { x: "x", y1: "low", y2: "high", stroke: series, strokeWidth: 1.5 }),
        spec.connected ? Plot.line(spec.points, { x: "x", y: "y", z: series, stroke: series, strokeWidth: 1.5 }) : null,
        Plot.dot(spec.points, { x: "x", y: "y", stroke: series, fill: series, symbol: series, r: 4 }),
        Plot.tip(spec.points, Plot.pointer({
          x: "x", y: "y", title: (d) => `${series(d)}\n${number(d.x)}: ${number(d.y)}`, fill: "var(--surface)", stroke: "var(--line)",
        })),
      ],
    });
    container.replaceChildren(plot);
  };

  // spec: { rows: [names], columns: [names], rowLabel, columnLabel, values: Float32Array, row-major, NaN for none }
  const heatmap = (container, first) => {
    let spec, low, high, row = 0, column = 0;
    const head = made("div", "heatmap-head"), legend = made("div", "heatmap-legend"), readout = made("output", "heatmap-readout");
    const field = made("div", "heatmap-field"), canvas = made("canvas", ""), cursor = made("div", "heatmap-cursor");
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "img");
    const rowNames = made("div", "heatmap-rows"), columnNames = made("div", "heatmap-columns"), grid = made("div", "heatmap-grid");
    head.append(legend, readout);
    field.append(canvas, cursor);
    grid.append(columnNames, rowNames, field);
    container.replaceChildren(head, grid);

    const draw = () => {
      const rows = spec.rows.length, columns = spec.columns.length;
      canvas.width = Math.max(1, columns);
      canvas.height = Math.max(1, rows);
      field.style.height = `min(60vh, ${Math.max(2, rows) * 24}px)`;
      // Names stand beside the cells while there is room for them.
      rowNames.replaceChildren(...rows <= 20 ? spec.rows.map(said) : []);
      columnNames.replaceChildren(...columns <= 12 ? spec.columns.map(said) : []);
      [low, high] = d3.extent(spec.values);
      const image = new ImageData(canvas.width, canvas.height);
      const pixels = new Uint32Array(image.data.buffer);
      const shades = Uint32Array.from({ length: 256 }, (_, i) => packed(d3.interpolateViridis(i / 255)));
      for (let i = 0; i < pixels.length; i++) {
        const share = high > low ? (spec.values[i] - low) / (high - low) : 0;
        pixels[i] = Number.isNaN(spec.values[i]) ? 0 : shades[Math.round(share * 255)];
      }
      canvas.getContext("2d").putImageData(image, 0, 0);
      canvas.setAttribute("aria-label",
        `${spec.title}: ${spec.rowLabel} by ${spec.columnLabel}, ${rows} by ${columns}; arrow keys read the cells`);
      legend.replaceChildren(said(`${spec.rowLabel} ↓ ${spec.columnLabel} →`), said(number(low)), made("span", "heatmap-scale"), said(number(high)),
        made("span", "heatmap-none"), said("not possible"));
    };

    const point = (r, c) => {
      row = Math.max(0, Math.min(r, spec.rows.length - 1));
      column = Math.max(0, Math.min(c, spec.columns.length - 1));
      const value = spec.values[row * spec.columns.length + column];
      readout.value = `${spec.rowLabel} ${spec.rows[row]}, ${spec.columnLabel} ${spec.columns[column]}: ${number(value)}`;
      cursor.hidden = false;
      const [w, h] = [100 / spec.columns.length, 100 / spec.rows.length];
      cursor.style.cssText = `left: ${column * w}%; top: ${row * h}%; width: ${w}%; height: ${h}%`;
    };

    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    canvas.addEventListener("keydown", (event) => {
      if (!steps[event.key]) return;
      event.preventDefault();
      point(row + steps[event.key][0], column + steps[event.key][1]);
    });
    canvas.addEventListener("focus", () => point(row, column));
    canvas.addEventListener("pointermove", (event) => point(
      Math.floor(event.offsetY / canvas.clientHeight * spec.rows.length),
      Math.floor(event.offsetX / canvas.clientWidth * spec.columns.length)));

    const update = (next) => {
      spec = next;
      draw();
      cursor.hidden = true;
      readout.value = "";
    };
    update(first);
    return {
      update,
      svg: () => pictured(canvas, spec),
      destroy: () => container.replaceChildren(),
    };
  };

  const made = (name, className) => {
    const element = document.createElement(name);
    element.className = className;
    return element;
  };

  const said = (text) => {
    const element = made("span", "");
    element.textContent = text;
    return element;
  };

  // An opaque colour as the little-endian RGBA of ImageData; 0 is transparent.
  const packed = (text) => {
    const { r, g, b } = d3.color(text);
    return (255 << 24 | b << 16 | g << 8 | r) >>> 0;
  };

  const styles = ["fill", "stroke", "color", "font-family", "font-size", "opacity"];

  // A copy of the chart that needs no style sheet.
  const standalone = (container) => {
    const source = [...container.querySelectorAll("svg")].at(-1);
    if (!source) return "";
    const copy = source.cloneNode(true);
    const from = [source, ...source.querySelectorAll("*")], to = [copy, ...copy.querySelectorAll("*")];
    from.forEach((element, i) => {
      const computed = getComputedStyle(element);
      for (const name of styles) to[i].style.setProperty(name, computed.getPropertyValue(name));
    });
    for (const style of copy.querySelectorAll("style")) style.remove();
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.style.background = getComputedStyle(document.body).backgroundColor;
    return new XMLSerializer().serializeToString(copy);
  };

  const pictured = (canvas, { rows, columns, rowLabel, columnLabel }) => {
    const scale = Math.max(1, Math.min(16, 960 / columns.length));
    const [w, h] = [columns.length * scale, rows.length * scale];
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${w + 24}" height="${h + 24}" font-family="sans-serif" font-size="12">` +
      `<text x="24" y="14">${escaped(columnLabel)} →</text>` +
      `<text transform="translate(14 ${h + 24}) rotate(-90)">← ${escaped(rowLabel)}</text>` +
      `<image x="24" y="24" width="${w}" height="${h}" style="image-rendering:pixelated" preserveAspectRatio="none" href="${canvas.toDataURL()}"/></svg>`;
  };
  const escaped = (text) => text.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`);

  berth.chart = {
    bars: (container, spec) => live(container, spec, bars),
    lines: (container, spec) => live(container, spec, lines),
    heatmap,
  };
})();
