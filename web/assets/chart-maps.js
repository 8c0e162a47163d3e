// Charts of many cells in shades of viridis: heat maps, the availability of requests
// under two policies, strips of requests. Each is one tab stop; inside it the arrow
// keys move from cell to cell.
"use strict";

(() => {
  const { live, number, percent, common, made, said, onTheme, escaped, fitted } = berth.chartKit;

  const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const clamp = (v, n) => Math.max(0, Math.min(v, n - 1));

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
      // Names are next to the cells while there is room for them.
      rowNames.replaceChildren(...rows <= 20 ? spec.rows.map(said) : []);
      columnNames.replaceChildren(...columns <= 12 ? spec.columns.map(said) : []);
      [low, high] = d3.extent(spec.values);
      const image = new ImageData(canvas.width, canvas.height);
      const pixels = new Uint32Array(image.data.buffer);
      const shades = viridis();
      for (let i = 0; i < pixels.length; i++) {
        const share = high > low ? (spec.values[i] - low) / (high - low) : 0;
        pixels[i] = Number.isNaN(spec.values[i]) ? 0 : shades[Math.round(share * 255)];
      }
      canvas.getContext("2d").putImageData(image, 0, 0);
      canvas.setAttribute("aria-label",
        `${spec.title}: ${spec.rowLabel} by ${spec.columnLabel}, ${rows} by ${columns}; arrow keys read the cells`);
      legend.replaceChildren(said(`${spec.rowLabel} ↓ ${spec.columnLabel} →`), said(number(low)), made("span", "heatmap-scale"), said(number(high)),
        made("span", "heatmap-none"), said(spec.none || "not possible"));
    };

    const point = (r, c) => {
      row = clamp(r, spec.rows.length);
      column = clamp(c, spec.columns.length);
      const value = spec.values[row * spec.columns.length + column];
      const more = spec.more.length ? `; ${spec.moreLabel}: ${number(spec.more[row * spec.columns.length + column])}` : "";
      readout.value = `${spec.rowLabel} ${spec.rows[row]}, ${spec.columnLabel} ${spec.columns[column]}: ${number(value)}${more}`;
      cursor.hidden = false;
      const [w, h] = [100 / spec.columns.length, 100 / spec.rows.length];
      cursor.style.cssText = `left: ${column * w}%; top: ${row * h}%; width: ${w}%; height: ${h}%`;
    };

    canvas.addEventListener("keydown", (event) => {
      if (!arrows[event.key]) return;
      event.preventDefault();
      point(row + arrows[event.key][1], column + arrows[event.key][0]);
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

  // 256 shades as the little-endian RGBA of ImageData; 0 is transparent.
  const viridis = () => Uint32Array.from({ length: 256 }, (_, i) => packed(d3.interpolateViridis(i / 255)));
  const packed = (text) => {
    const { r, g, b } = d3.color(text);
    return (255 << 24 | b << 16 | g << 8 | r) >>> 0;
  };

  const pictured = (canvas, { rows, columns, rowLabel, columnLabel }) => {
    const scale = Math.max(1, Math.min(16, 960 / columns.length));
    const [w, h] = [columns.length * scale, rows.length * scale];
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${w + 24}" height="${h + 24}" font-family="sans-serif" font-size="12">` +
      `<text x="24" y="14">${escaped(columnLabel)} →</text>` +
      `<text transform="translate(14 ${h + 24}) rotate(-90)">← ${escaped(rowLabel)}</text>` +
      `<image x="24" y="24" width="${w}" height="${h}" style="image-rendering:pixelated" preserveAspectRatio="none" href="${canvas.toDataURL()}"/></svg>`;
  };

  const paired = (container, first) => {
    const readout = made("output", "chart-readout"), field = made("div", "paired-field");
    container.replaceChildren(field, readout);
    let spec = first, x = 0, y = 0, svg, cursor;

    const point = (toX, toY) => {
      x = clamp(toX, spec.bins);
      y = clamp(toY, spec.bins);
      const from = (i) => `${number(100 * i / spec.bins)} to ${percent((i + 1) / spec.bins)}`;
      readout.value = `${spec.xLabel} ${from(x)}, ${spec.yLabel} ${from(y)}: ${number(spec.counts[y * spec.bins + x])}`;
      const [left, right] = [x, x + 1].map((i) => svg.scale("x").apply(i / spec.bins));
      const [bottom, top] = [y, y + 1].map((i) => svg.scale("y").apply(i / spec.bins));
      d3.select(cursor).attr("x", left).attr("y", top).attr("width", right - left).attr("height", bottom - top).attr("display", null);
    };
    const listen = () => {
      svg.setAttribute("tabindex", "0");
      svg.addEventListener("keydown", (event) => {
        if (!arrows[event.key]) return;
        event.preventDefault();
        point(x + arrows[event.key][0], y - arrows[event.key][1]);
      });
      svg.addEventListener("focus", () => point(x, y));
      svg.addEventListener("pointermove", (event) => {
        const [left, top] = d3.pointer(event, svg);
        point(Math.floor(svg.scale("x").invert(left) * spec.bins), Math.floor(svg.scale("y").invert(top) * spec.bins));
      });
    };
    const drawing = live((host, next, width) => {
      spec = next;
      svg = pairedPlot(spec, Math.min(width, 480));
      cursor = d3.select(svg).append("rect").attr("fill", "none").attr("stroke", "var(--ink)").attr("stroke-width", 2).attr("display", "none").node();
      host.replaceChildren(svg);
      listen();
      const shares = spec.limit > 0 ? quadrantsOf(spec).map(([, what, share]) => `${what} ${percent(share)}`) : [];
      return [...shares, "arrow keys read the bins"].join(", ");
    })(field, first);
    return {
      update(next) { readout.value = ""; drawing.update(next); },
      svg: drawing.svg,
      destroy() { drawing.destroy(); container.replaceChildren(); },
    };
  };

  const pairedPlot = (spec, width) => {
    const most = d3.max(spec.counts), shade = d3.scaleSequentialLog([1, Math.max(10, most)], d3.interpolateViridis);
    const full = Array.from(spec.counts, (count, i) => ({ count, x: i % spec.bins / spec.bins, y: Math.floor(i / spec.bins) / spec.bins }))
      .filter((d) => d.count > 0);
    const side = width - 56 - 16;
    const axis = (label) => ({ label, domain: [0, 1], ticks: [0, 0.2, 0.4, 0.6, 0.8, 1], tickFormat: (v) => `${Math.round(100 * v)}\u202f%` });
    return Plot.plot({
      ...common(width),
      height: side + 56 + 40,
      marginLeft: 56, marginRight: 16, marginTop: 56, marginBottom: 40,
      x: axis(spec.xLabel),
      y: axis(spec.yLabel),
      marks: [
        Plot.rect(full, { x1: "x", x2: (d) => d.x + 1 / spec.bins, y1: "y", y2: (d) => d.y + 1 / spec.bins, fill: (d) => shade(d.count), inset: 0 }),
        Plot.frame({ stroke: "var(--line-strong)" }),
        ...spec.limit > 0 ? quadrants(spec, side) : [],
        () => shadeLegend(shade, Math.max(10, most), width),
      ],
    });
  };

  const quadrantsOf = ({ xName, yName, quadrants }) => [
    ["top-right", "both meet the SLO", quadrants.both], ["top-left", `only ${yName}`, quadrants.onlyY],
    ["bottom-right", `only ${xName}`, quadrants.onlyX], ["bottom-left", "neither", quadrants.neither],
  ];

  // The lines of the SLO, and the share of each quadrant in its corner.
  const quadrants = (spec, side) => {
    const corner = ([frameAnchor, what, share]) => Plot.text([`${fitted(what, 0.45 * side)}\n${percent(share)}`], {
      frameAnchor, fill: "var(--ink)", stroke: "var(--ground)", strokeWidth: 6, fontWeight: 600, lineHeight: 1.2,
      dx: frameAnchor.endsWith("left") ? 6 : -6, dy: frameAnchor.startsWith("top") ? 6 : -6 });
    const line = { stroke: "var(--ink)", strokeWidth: 1.5, strokeDasharray: "5 3" };
    return [Plot.ruleX([spec.limit], line), Plot.ruleY([spec.limit], line), ...quadrantsOf(spec).map(corner)];
  };

  // The colours of counts, above the map.
  const shadeLegend = (shade, most, width) => {
    const g = d3.create("svg:g").attr("transform", "translate(56 20)");
    const length = Math.min(200, width - 160), at = d3.scaleLog([1, most], [0, length]);
    for (let i = 0; i < length; i += 2) g.append("rect").attr("x", i).attr("width", 2.5).attr("height", 8).attr("fill", shade(at.invert(i)));
    const apart = Math.ceil(48 / at(10)); // decades between labels, so that they do not overlap
    const decades = d3.range(0, Math.floor(Math.log10(most)) + 1, apart).map((d) => 10 ** d);
    for (const v of decades) {
      g.append("text").attr("x", at(v)).attr("y", 20).attr("text-anchor", v === 1 ? "start" : "middle").attr("fill", "var(--ink-soft)").text(number(v));
    }
    g.append("text").attr("x", length + 8).attr("y", 8).attr("text-anchor", "start").attr("fill", "var(--ink-soft)").text("in a bin");
    return g.node();
  };

  const strips = (container, first) => {
    const most = 4096; // columns of a canvas
    let spec, row = 0, item = 0, canvases = [];
    const legend = made("div", "heatmap-legend"), readout = made("output", "chart-readout"), field = made("div", "strips"), cursor = made("div", "heatmap-cursor");
    field.tabIndex = 0;
    field.setAttribute("role", "img");
    container.replaceChildren(legend, field, readout);

    const label = ({ group, name }) => group ? `${group} · ${name}` : name;
    const draw = () => {
      const ink = packed(getComputedStyle(container).color), shades = viridis();
      canvases = spec.items.map((strip) => {
        const canvas = made("canvas", "");
        canvas.width = Math.max(1, Math.min(most, strip.values.length));
        canvas.height = 4;
        paint(canvas, strip, shades, ink);
        return canvas;
      });
      field.replaceChildren(...spec.items.flatMap((strip, i) => {
        const line = made("div", "strip");
        if (i > 0 && strip.group !== spec.items[i - 1].group) line.classList.add("strip-first");
        const cells = made("div", "strip-cells");
        cells.append(canvases[i]);
        line.append(said(label(strip)), cells);
        return line;
      }));
      field.setAttribute("aria-label", `${spec.title}: ${spec.items.length} strips of ${spec.value} by ${spec.item}; arrow keys read the cells`);
      const below = said("below its SLO");
      below.className = "strip-mark";
      legend.replaceChildren(said(`${spec.value} 0\u202f%`), made("span", "heatmap-scale"), said("100\u202f%"),
        ...spec.items.some((s) => s.limit > 0) ? [below] : []);
    };
    // A column shows the lowest of its items; its foot is marked when that is below the
    // limit.
    const paint = (canvas, { values, limit }, shades, ink) => {
      const image = new ImageData(canvas.width, 4), pixels = new Uint32Array(image.data.buffer);
      for (let c = 0; c < canvas.width; c++) {
        const part = values.subarray(Math.floor(c * values.length / canvas.width), Math.max(Math.floor((c + 1) * values.length / canvas.width), 1));
        const lowest = d3.min(part);
        if (lowest === undefined) continue;
        const shade = shades[Math.round(255 * Math.max(0, Math.min(1, lowest)))];
        for (let r = 0; r < 3; r++) pixels[r * canvas.width + c] = shade;
        if (lowest < limit) pixels[3 * canvas.width + c] = ink;
      }
      canvas.getContext("2d").putImageData(image, 0, 0);
    };

    const point = (toRow, toItem) => {
      row = clamp(toRow, spec.items.length);
      const strip = spec.items[row], n = strip.values.length;
      if (!n) return;
      item = clamp(toItem, n);
      const value = strip.values[item];
      readout.value = `${label(strip)}, ${spec.item} ${number(item + 1)} of ${number(n)}: ${spec.value} ${percent(value)}` +
        (value < strip.limit ? `, below its SLO of ${percent(strip.limit)}` : "");
      canvases[row].parentElement.append(cursor);
      cursor.style.cssText = `left: ${100 * item / n}%; top: 0; width: ${100 / n}%; height: 100%`;
    };
    field.addEventListener("keydown", (event) => {
      if (!arrows[event.key]) return;
      event.preventDefault();
      const [across, down] = arrows[event.key];
      point(row + down, item + across * (event.shiftKey ? 10 : 1));
    });
    field.addEventListener("focus", () => point(row, item));
    field.addEventListener("pointermove", (event) => {
      const at = canvases.indexOf(event.target);
      if (at >= 0) point(at, Math.floor(event.offsetX / event.target.clientWidth * spec.items[at].values.length));
    });

    const update = (next) => {
      spec = next;
      cursor.remove();
      readout.value = "";
      draw();
    };
    update(first);
    const forget = onTheme(draw);
    return {
      update,
      svg: () => `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="${28 * canvases.length}" font-family="sans-serif" font-size="12">` +
        canvases.map((canvas, i) => `<text x="0" y="${28 * i + 16}">${escaped(label(spec.items[i]))}</text>` +
          `<image x="160" y="${28 * i}" width="800" height="24" style="image-rendering:pixelated" preserveAspectRatio="none" href="${canvas.toDataURL()}"/>`).join("") + "</svg>",
      destroy() { forget(); container.replaceChildren(); },
    };
  };

  Object.assign(berth.chart, { heatmap, paired, strips });
})();
