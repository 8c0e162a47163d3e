// What all charts share. Each kind of chart has a file chart-*.js of its own, which
// draws with Observable Plot and d3; both are loaded earlier.
//
//   berth.chart.KIND(container, spec) draws into container and returns
//   { update(spec), svg(), destroy() }
//
// The Go side (app/chart) builds the specs, each with a title. A series has a
// style, the name of a colour in berth.css; the style also decides dash, symbol and
// pattern. Colours are CSS variables, so a chart follows the theme without a new
// drawing, except on a canvas.
"use strict";

(() => {
  globalThis.berth ??= {};

  const styles = ["series-1", "series-2", "series-3", "series-4", "series-5", "series-6", "series-7", "series-8"];
  const classes = ["gold", "silver", "bronze"];
  const parts = ["part-1", "part-2", "part-3", "part-4"]; // parts of a whole, in colours that no policy uses
  const place = (style) => Math.max(styles.indexOf(style), classes.indexOf(style), parts.indexOf(style), 0);
  const dashes = ["none", "7 3", "2 2", "8 3 2 3", "12 4", "4 4", "1 3", "10 3 2 3 2 3"];
  const symbols = ["circle", "square", "triangle", "diamond", "cross", "star", "wye", "times"];
  const hatches = [
    "", "M-2,2l4,-4M0,8l8,-8M6,10l4,-4", "M1.5,2h1M5.5,6h1", "M-2,6l4,4M0,0l8,8M6,-2l4,4",
    "M0,4h8", "M4,0v8", "M0,4h8M4,0v8", "M0,2h8M0,6h8",
  ];
  const color = (style) => `var(--${style})`;
  // The variant, from 0, distinguishes series of one style.
  const dash = (style, variant = 0) => dashes[(place(style) + variant) % dashes.length];
  const symbol = (style) => symbols[place(style)];

  // Draws again for other figures or another width, at most once a frame. If draw
  // returns a hint, screen readers get it after the title.
  const live = (draw) => (container, spec) => {
    let width = 0, pending = 0;
    const redraw = () => {
      cancelAnimationFrame(pending);
      pending = 0;
      width = container.clientWidth;
      if (!width) return;
      const hint = draw(container, spec, width);
      name([...container.querySelectorAll("svg")].at(-1), hint ? `${spec.title}; ${hint}` : spec.title);
    };
    const soon = () => { pending ||= requestAnimationFrame(redraw); };
    const observer = new ResizeObserver(() => { if (container.clientWidth !== width) soon(); });
    observer.observe(container);
    redraw();
    return {
      update(next) { spec = next; soon(); },
      svg() {
        if (pending) redraw();
        return standalone(container);
      },
      destroy() { observer.disconnect(); cancelAnimationFrame(pending); container.replaceChildren(); },
    };
  };

  // For a screen reader a chart is one picture, and its table has the figures. Plot
  // adds labels of its own whenever it redraws what follows the pointer.
  const name = (svg, title) => {
    const unname = () => {
      for (const part of svg.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
    };
    unname();
    new MutationObserver(unname).observe(svg, { childList: true, subtree: true });
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", title);
  };

  const number = (v) => v == null || Number.isNaN(v) ? "–" : d3.format(Math.abs(v) >= 1000 ? ",.0f" : ".3~g")(v).replaceAll(",", "\u202f");
  const percent = (v) => v == null || Number.isNaN(v) ? "–" : `${d3.format(".3~g")(100 * v)}\u202f%`;
  // The domain of an axis that begins at 0. If all values are 0, Plot has no range to
  // choose and would draw them at an arbitrary height.
  const fromZero = (most) => most > 0 ? { zero: true } : { zero: true, domain: [0, 1] };
  const common = (width) => ({
    width,
    style: { background: "none", color: "var(--ink)", fontFamily: "inherit", fontSize: "12px", overflow: "visible" },
  });
  const tip = { fill: "var(--surface)", stroke: "var(--line)" };

  // The width of a text of 12 px in a font like that of the page.
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = "12px system-ui, sans-serif";
  const widthOf = (text) => pen.measureText(text).width;

  // The longest beginning of a label that fits into the room.
  const fitted = (label, room) => {
    let length = label.length;
    const cut = () => length < label.length ? `${label.slice(0, length).trimEnd()}…` : label;
    while (length > 1 && widthOf(cut()) > room) length--;
    return cut();
  };

  // Patterns that fill areas: add mark to the marks, then fill with fill(i).
  const patterns = (container, series) => {
    const id = (i) => `${container.id || "chart"}-fill-${i}`;
    const mark = () => {
      const defs = d3.create("svg:defs");
      series.forEach(({ style }, i) => {
        const pattern = defs.append("pattern").attr("id", id(i)).attr("patternUnits", "userSpaceOnUse").attr("width", 8).attr("height", 8);
        pattern.append("rect").attr("width", 8).attr("height", 8).attr("fill", color(style));
        const hatch = hatches[place(style)];
        if (hatch) pattern.append("path").attr("d", hatch).attr("stroke", "var(--ground)").attr("stroke-width", 1.2);
      });
      return defs.node();
    };
    return { mark, fill: (i) => `url(#${id(i)})` };
  };

  // The width of a line: series of a pinned result are thin, behind the others.
  const weight = (series) => series.behind ? 0.75 : 2;

  // Puts the entries of a legend into lines: each gets x and y.
  const flowed = (entries, width, spaceOf) => {
    let x = 0, y = 0;
    const placed = entries.map((entry) => {
      const space = spaceOf(entry);
      if (x > 0 && x + space > width) [x, y] = [0, y + 18];
      const at = { ...entry, x, y };
      x += space;
      return at;
    });
    return { placed, height: y + 18 };
  };

  // A legend above the chart, in the same picture. Entries have a name and a
  // style, and how they are drawn: a line, a symbol, a fill or several of them.
  // Top leaves room for the name of a vertical axis.
  const legend = (entries, width, top = 0) => {
    if (entries.length < 2) return { height: 0, mark: null };
    const { placed, height } = flowed(entries, width, (entry) => 32 + widthOf(entry.name) + 16);
    const mark = () => {
      const g = d3.create("svg:g").attr("transform", `translate(4 ${top + 12})`).attr("text-anchor", "start");
      for (const e of placed) {
        const item = g.append("g").attr("transform", `translate(${e.x} ${e.y})`);
        if (e.fill) item.append("rect").attr("y", -6).attr("width", 26).attr("height", 12).attr("fill", e.fill);
        if (e.line) item.append("path").attr("d", "M0,0h26").attr("stroke", color(e.style)).attr("stroke-width", weight(e)).attr("stroke-dasharray", e.line);
        if (e.symbol) {
          item.append("path").attr("transform", "translate(13 0)").attr("fill", color(e.style)).attr("stroke", color(e.style))
            .attr("d", d3.symbol(symbolTypes[e.symbol], 40)());
        }
        item.append("text").attr("x", 32).attr("dy", "0.32em").attr("fill", "var(--ink)").text(e.name);
      }
      return g.node();
    };
    return { height: height + 8, mark };
  };
  const symbolTypes = {
    circle: d3.symbolCircle, square: d3.symbolSquare, triangle: d3.symbolTriangle, diamond: d3.symbolDiamond,
    cross: d3.symbolCross, star: d3.symbolStar, wye: d3.symbolWye, times: d3.symbolTimes,
  };

  // The units of a time in seconds, and a time in the unit that suits it.
  const units = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"], [1e-3, "ms"], [1e-6, "µs"]];
  const time = (v) => {
    const [unit, name] = units.find(([unit]) => Math.abs(v) >= unit) ?? [1, "s"];
    return `${number(v / unit)}\u202f${name}`;
  };
  const inSeconds = (label) => label === "s" || label.endsWith("(s)");

  // How the figures of an axis are told.
  const told = (label) => inSeconds(label) ? time : number;

  // An axis for an extent: logarithmic if that is asked for and possible, with ticks
  // that do not overlap. Long times in seconds are in the unit of the extent; a
  // logarithmic axis of them is a mark, drawn(Plot.axisX).
  const axisOf = (label, logarithmic, [low, high], pixels) => {
    const long = inSeconds(label) && high >= 7200;
    if (!logarithmic || !(low > 0)) {
      const few = Math.max(2, pixels / 90);
      if (!long) return { label: label || null, ticks: few, tickFormat: number };
      const [unit, name] = units.find(([unit]) => high >= 2 * unit);
      return { label: label.replace(/s(?=\)?$)/, name), ticks: d3.ticks(low / unit, high / unit, few).map((v) => v * unit), tickFormat: (v) => number(v / unit) };
    }
    const within = (v) => v >= low && v <= high;
    if (long) { // d3 would name powers of ten alone
      const ticks = units.map(([unit]) => unit).filter(within);
      return { type: "log", axis: null, ticks, drawn: (axis) => axis(ticks, { text: time, label: label.replace(/ ?\(?s\)?$/, "") }) };
    }
    const decades = d3.range(Math.floor(Math.log10(low)), Math.ceil(Math.log10(high)) + 1);
    const every = Math.ceil(decades.length * 56 / pixels);
    const few = decades.length < 3 || decades.length < 5 && pixels > 300 ? [1, 2, 5] : [1];
    const ticks = decades.filter((d) => d % every === 0).flatMap((d) => few.map((m) => m * 10 ** d)).filter(within);
    return { label, type: "log", ticks: ticks.length > 1 ? ticks : [low, high], tickFormat: number };
  };

  // Horizontal lines across the chart, at values of its vertical axis.
  const rules = (list) => [
    Plot.ruleY(list, { y: "value", stroke: "var(--ink-soft)", strokeDasharray: "6 3" }),
    Plot.text(list, { y: "value", text: "label", frameAnchor: "right", textAnchor: "end", dy: -7, fill: "var(--ink)", stroke: "var(--ground)", strokeWidth: 3 }),
  ];

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

  // Calls redraw when the theme changes; returns a function that stops this.
  const onTheme = (redraw) => {
    const system = matchMedia("(prefers-color-scheme: dark)");
    const observer = new MutationObserver(redraw);
    observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    system.addEventListener("change", redraw);
    return () => { observer.disconnect(); system.removeEventListener("change", redraw); };
  };

  const copied = ["fill", "stroke", "color", "font-family", "font-size", "opacity"];

  // A copy of the chart that needs no style sheet.
  const standalone = (container) => {
    const source = [...container.querySelectorAll("svg")].at(-1);
    if (!source) return "";
    const copy = source.cloneNode(true);
    const from = [source, ...source.querySelectorAll("*")], to = [copy, ...copy.querySelectorAll("*")];
    from.forEach((element, i) => {
      const computed = getComputedStyle(element);
      for (const name of copied) to[i].style.setProperty(name, computed.getPropertyValue(name));
    });
    for (const style of copy.querySelectorAll("style")) style.remove();
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.style.background = getComputedStyle(document.body).backgroundColor;
    return new XMLSerializer().serializeToString(copy);
  };

  const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

  berth.chart = {};
  berth.chartKit = {
    color, dash, symbol, hatches, place, live, number, percent, fromZero, common, tip, widthOf, fitted, patterns, flowed, legend, weight, told, axisOf, rules,
    made, said, onTheme, escaped,
  };
})();
