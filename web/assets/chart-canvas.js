// Drawings on a canvas that can also be saved as SVG: one pen for each, with the same
// methods. Colours are names of berth.css without the dashes ("ink", "series-1"); a pen
// reads them when a drawing begins.
"use strict";

(() => {
  const { made, onTheme, escaped } = berth.chartKit;

  // The colours of the theme, because a canvas does not resolve CSS variables. Each is read
  // once: reading one makes the browser settle the styles of the whole page.
  const inks = (element) => {
    const known = new Map();
    return (name) => {
      if (!known.has(name)) {
        const probe = made("span", "");
        probe.hidden = true;
        probe.style.color = `var(--${name})`;
        element.append(probe);
        known.set(name, getComputedStyle(probe).color);
        probe.remove();
      }
      return known.get(name);
    };
  };

  const canvasPen = (context, ink) => {
    const hatches = new Map();
    const hatch = (name) => {
      if (!hatches.has(name)) {
        const tile = made("canvas", "");
        tile.width = tile.height = 6;
        const pen = tile.getContext("2d");
        pen.strokeStyle = ink(name);
        pen.lineWidth = 1.5;
        for (const x of [-6, 0, 6]) pen.stroke(new Path2D(`M${x},6l6,-6`));
        hatches.set(name, context.createPattern(tile, "repeat"));
      }
      return hatches.get(name);
    };
    return {
      rect(x, y, w, h, { fill, hatch: hatched, stroke, alpha = 1, width = 1 }) {
        context.globalAlpha = alpha;
        if (fill) { context.fillStyle = ink(fill); context.fillRect(x, y, w, h); }
        if (hatched) { context.fillStyle = hatch(hatched); context.fillRect(x, y, w, h); }
        if (stroke) { context.strokeStyle = ink(stroke); context.lineWidth = width; context.strokeRect(x, y, w, h); }
        context.globalAlpha = 1;
      },
      line(x1, y1, x2, y2, color, width = 1) {
        context.strokeStyle = ink(color);
        context.lineWidth = width;
        context.beginPath();
        context.moveTo(x1, y1);
        context.lineTo(x2, y2);
        context.stroke();
      },
      text(x, y, text, { color = "ink", anchor = "start", bold = false } = {}) {
        context.fillStyle = ink(color);
        context.font = `${bold ? "600 " : ""}12px system-ui, sans-serif`;
        context.textAlign = anchor === "middle" ? "center" : anchor;
        context.textBaseline = "middle";
        context.fillText(text, x, y);
      },
    };
  };

  const svgPen = (width, height, ink) => {
    const parts = [], hatches = new Map();
    const hatch = (name) => {
      if (!hatches.has(name)) hatches.set(name, `hatch-${hatches.size}`);
      return `url(#${hatches.get(name)})`;
    };
    const short = (v) => Math.round(100 * v) / 100;
    const box = (x, y, w, h, attributes) =>
      parts.push(`<rect x="${short(x)}" y="${short(y)}" width="${short(Math.max(0, w))}" height="${short(Math.max(0, h))}" ${attributes}/>`);
    return {
      rect(x, y, w, h, { fill, hatch: hatched, stroke, alpha = 1, width: thick = 1 }) {
        if (fill) box(x, y, w, h, `fill="${ink(fill)}" opacity="${alpha}"`);
        if (hatched) box(x, y, w, h, `fill="${hatch(hatched)}" opacity="${alpha}"`);
        if (stroke) box(x, y, w, h, `fill="none" stroke="${ink(stroke)}" stroke-width="${thick}" opacity="${alpha}"`);
      },
      line(x1, y1, x2, y2, color, thick = 1) {
        parts.push(`<path d="M${short(x1)},${short(y1)}L${short(x2)},${short(y2)}" stroke="${ink(color)}" stroke-width="${thick}"/>`);
      },
      text(x, y, text, { color = "ink", anchor = "start", bold = false } = {}) {
        parts.push(`<text x="${short(x)}" y="${short(y)}" dy="0.35em" text-anchor="${anchor}" fill="${ink(color)}"${bold ? ' font-weight="600"' : ""}>${escaped(text)}</text>`);
      },
      picture() {
        const patterns = [...hatches].map(([name, id]) => `<pattern id="${id}" patternUnits="userSpaceOnUse" width="6" height="6">` +
          `<path d="M-6,6l6,-6M0,6l6,-6M6,6l6,-6" stroke="${ink(name)}" stroke-width="1.5"/></pattern>`);
        return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="12" ` +
          `style="background:${ink("ground")}"><defs>${patterns.join("")}</defs>${parts.join("")}</svg>`;
      },
    };
  };

  // Two canvases in field: one for what seldom changes, and above it one for what
  // moves. measure takes a width and returns the height; paint and over draw with a
  // pen.
  const layered = (field, { measure, paint, over }) => {
    const base = made("canvas", ""), top = made("canvas", "layer-top");
    base.ariaHidden = top.ariaHidden = "true"; // the field has the accessible name
    field.append(base, top);
    const stage = field.closest(".stage-picture");
    let width = 0, height = 0, room = 0, pending = 0, ink = inks(field), lower, upper;
    // An empty canvas of the current size. Setting its size takes much longer than clearing it.
    const sized = (canvas, pen) => {
      const ratio = devicePixelRatio || 1, context = canvas.getContext("2d");
      const wide = Math.round(width * ratio), high = Math.round(height * ratio);
      if (pen && canvas.width === wide && canvas.height === high) {
        context.clearRect(0, 0, width, height);
        return pen;
      }
      canvas.width = wide;
      canvas.height = high;
      canvas.style.height = `${height}px`;
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      return canvasPen(context, ink);
    };
    const redraw = () => {
      cancelAnimationFrame(pending);
      pending = 0;
      if (!field.clientWidth) return;
      width = field.clientWidth;
      room = stage?.clientHeight;
      height = measure(width);
      lower = sized(base, lower);
      upper = sized(top, upper);
      paint(lower);
      overlay();
    };
    const overlay = () => {
      if (!upper || pending) return;
      top.getContext("2d").clearRect(0, 0, width, height);
      over(upper);
    };
    const soon = () => { pending ||= requestAnimationFrame(redraw); };
    const observer = new ResizeObserver(() => { if (field.clientWidth !== width || stage?.clientHeight !== room) soon(); });
    observer.observe(field);
    if (stage) observer.observe(stage);
    const forget = onTheme(() => {
      ink = inks(field);
      lower = upper = null;
      soon();
    });
    return {
      redraw, overlay,
      soon, // redraws in the next frame; until then nothing else draws
      repaint: (part) => { if (lower && !pending) part(lower); }, // redraws part of the lower canvas
      svg() {
        if (pending) redraw();
        if (!height) return ""; // never shown
        const pen = svgPen(width, height, ink);
        paint(pen);
        over(pen);
        return pen.picture();
      },
      destroy() { observer.disconnect(); cancelAnimationFrame(pending); forget(); },
    };
  };

  Object.assign(berth.chartKit, { layered });
})();
