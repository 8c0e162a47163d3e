// Pan and zoom for drawings.
//
//   berth.panzoom(container) returns
//     .show(svg, names) parses the text of an SVG and shows it, fitted to the
//                    container until someone moves it; names maps ids to the names of
//                    elements, in JSON. Nodes that are in another cluster than in the
//                    drawing before slide there, and say their change for a while.
//                    Returns "", or what is wrong with the text
//     .fit()         shows the whole drawing
//     .zoom(factor)  zooms about the middle
//     .select(id)    marks the element with this id, "" for none
//     .find(id)      scrolls to the element, large enough to be read, and focuses it;
//                    returns whether it exists
//     .displace(ids) marks elements that have moved; a space separates the ids
//     .answer(first, second, refused) says at a carried node what its place would mean;
//                    the first text may be a refusal
//     .destroy()
//   berth.png(svg)      promise of the Blob of a PNG
//
// The container is one tab stop, the drawing inside it another: on the container the
// arrow keys move the drawing, on an element they go to the next element in that
// direction. Hover, focus and a click or Enter send the event "berth:element" to the
// container, with detail {id, kind, name, pinned}; id is "" when the pointer or the
// focus leaves. Kind is node, edge or cluster. Where the container has data-carry, the
// pointer carries nodes: "berth:carry" has {id, over, dropped}, over is the id of the
// cluster below the pointer, "" for none; an Escape drops it over none.
"use strict";

(() => {
  const elements = "g.node, g.edge, g.cluster";
  const largest = 8;
  const readable = 0.9; // scale
  const smallestLabel = 10; // pixels, on the stage
  const step = 48; // pixels for one arrow key
  const slideTime = 180; // milliseconds
  const changeTime = 2000; // for which a node says its change
  const scrollEdge = 48; // pixels from the edge of the page

  globalThis.berth ??= {};
  globalThis.berth.panzoom = (container) => {
    const stage = document.createElement("div");
    stage.className = "panzoom-stage";
    container.replaceChildren(stage);
    container.tabIndex = 0;

    let svg, width = 1, height = 1, font = smallestLabel;
    let x = 0, y = 0, scale = 1, smallest = 0.05, fitted = true;
    let current; // the element that Tab reaches
    let joined = new Map(); // the edges of each element by its id; a cluster has those of its nodes
    const pointers = new Map();
    const listening = new AbortController();
    const on = (target, type, handler, options) =>
      target.addEventListener(type, handler, { signal: listening.signal, ...options });

    // While the drawing moves it has a layer of its own; it is redrawn sharply when it
    // rests.
    let resting;
    const place = () => {
      stage.style.willChange = "transform";
      stage.toggleAttribute("data-fitted", fitted);
      stage.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
      clearTimeout(resting);
      resting = setTimeout(() => stage.style.willChange = "", 150);
    };

    let fittedSize = ""; // of the last drawing that was fitted
    const sizeOf = () => [width, height, font].join(" ");
    const fit = () => {
      const { clientWidth: w, clientHeight: h } = container;
      if (!w || !h) return;
      const stand = (top) => {
        scale = Math.min(w / width, (h - top) / height, 1.5) * 0.96;
        x = (w - width * scale) / 2;
        y = top + (h - top - height * scale) / 2;
      };
      stand(0);
      // If the drawing would reach under the buttons in the corner, it moves beside or
      // below them.
      const { offsetTop = 0, offsetLeft = w, offsetHeight = 0 } = container.parentElement?.querySelector(".drawing-tools") ?? {};
      if (x + width * scale > offsetLeft && y < offsetTop + offsetHeight && y + height * scale > offsetTop) {
        if (width * scale < offsetLeft * 0.96) x = (offsetLeft - width * scale) / 2;
        else stand(offsetTop + offsetHeight);
      }
      smallest = Math.min(scale / 4, 0.2);
      enlarge(w, h);
      [fitted, fittedSize] = [true, sizeOf()];
      place();
    };

    // On a wide stage a drawing whose labels would be too small shows a part of itself, around
    // the element that is marked. A drawing beside another one, or that is played, is shown whole.
    const enlarge = (w, h) => {
      const least = smallestLabel / font;
      if (scale >= least || !container.closest("[data-mode=stage]") || container.closest(".front-side, .play") || innerWidth < 900) return;
      place();
      const frame = container.getBoundingClientRect();
      const [cx, cy] = middle(svg.querySelector(".is-selected") ?? svg);
      const around = (at, room, size) => size < room ? (room - size) / 2 : Math.max(room - size, Math.min(room / 2 - at, 0));
      const times = least / scale;
      x = around((cx - frame.left - x) * times, w, width * least);
      y = around((cy - frame.top - y) * times, h, height * least);
      scale = least;
    };

    const move = (dx, dy) => {
      x += dx;
      y += dy;
      fitted = false;
      place();
    };

    const zoomAt = (factor, px, py) => {
      const next = Math.min(largest, Math.max(smallest, scale * factor));
      x = px - (px - x) * next / scale;
      y = py - (py - y) * next / scale;
      scale = next;
      fitted = false;
      place();
    };
    const zoom = (factor) => zoomAt(factor, container.clientWidth / 2, container.clientHeight / 2);

    const local = (event) => {
      const box = container.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };

    // The ids of elements in the drawing begin with lead on the page, where another drawing may
    // have the same ones.
    const lead = container.dataset.lead ?? "";
    const idOf = (element) => element.id.slice(lead.length);
    const elementOf = (id) => id ? svg?.querySelector(`#${CSS.escape(lead + id)}`) : null;

    let told = null;
    const tell = (element, pinned) => {
      if (element === told && !pinned) return;
      told = element;
      const detail = element
        ? { id: idOf(element), kind: element.classList[0], name: nameOf(element), pinned }
        : { id: "", kind: "", name: "", pinned };
      single(element);
      container.dispatchEvent(new CustomEvent("berth:element", { detail }));
    };

    // Highlights the edges of the element under the pointer and dims the others.
    const single = (element) => {
      if (!svg) return;
      const own = new Set(element && joined.get(idOf(element)));
      if (element?.classList.contains("edge")) own.add(element);
      svg.classList.toggle("is-pointed", own.size > 0);
      for (const edge of svg.querySelectorAll("g.edge.is-own")) edge.classList.remove("is-own");
      for (const edge of own) edge.classList.add("is-own");
    };

    const reveal = (element) => {
      const box = element.getBoundingClientRect(), view = container.getBoundingClientRect();
      const gap = (from, to, low, high) => from < low ? low - from : to > high ? high - to : 0;
      const dx = gap(box.left, box.right, view.left, view.right);
      const dy = gap(box.top, box.bottom, view.top, view.bottom);
      if (dx || dy) move(dx, dy);
    };

    const find = (id) => {
      const element = elementOf(id);
      if (!element) return false;
      const box = element.getBoundingClientRect(), view = container.getBoundingClientRect();
      const [px, py] = [box.left + box.width / 2 - view.left, box.top + box.height / 2 - view.top];
      if (scale < readable) zoomAt(readable / scale, px, py);
      element.focus({ preventScroll: true });
      return true;
    };

    const rove = (element) => {
      current?.setAttribute("tabindex", "-1");
      current = element;
      current?.setAttribute("tabindex", "0");
    };

    // The places in the drawing of the nodes that are in a cluster, by id. Attributes alone say
    // them: to ask the browser for a place would have it lay out the drawing at once.
    const placesOf = (names) => {
      const all = new Map();
      for (const node of svg?.querySelectorAll("g.node") ?? []) {
        const { in: within, title, change } = names[idOf(node)] ?? {}, box = within && node.querySelector("rect");
        if (box) all.set(idOf(node), { node, at: [box.x.baseVal.value, box.y.baseVal.value], within, title, change });
      }
      return all;
    };

    // Moves nodes from where they were in another cluster to where they are now. A move goes on
    // when the next drawing comes.
    const moves = new Map(); // by the id of a node: since when it moves, from where, and its change
    const slide = (before, now) => {
      const time = performance.now(), still = matchMedia("(prefers-reduced-motion: reduce)").matches;
      for (const [id, { node, at, within, title, change }] of now) {
        const old = before.get(id);
        if (!old || old.title !== title) continue;
        let move = moves.get(id);
        if (old.within !== within) {
          const done = move ? Math.min(1, (time - move.since) / slideTime) : 1;
          move = { since: time, from: old.at.map((to, k) => done < 1 ? move.from[k] + done * (to - move.from[k]) : to), change };
          moves.set(id, move);
        }
        if (!move) continue;
        const past = time - move.since;
        if (past > changeTime) {
          moves.delete(id);
          continue;
        }
        if (move.change) say(node, move.change, changeTime - past);
        if (past >= slideTime || still) continue;
        const [x, y] = move.from.map((from, k) => from - at[k]);
        node.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: slideTime, delay: -past, easing: "ease-out" });
      }
    };

    // Writes the change of a node at its upper edge.
    const say = (node, change, time) => {
      const box = node.querySelector("rect"), text = document.createElementNS("http://www.w3.org/2000/svg", "text");
      if (!box) return;
      text.textContent = change;
      text.classList.add("change");
      text.setAttribute("x", box.x.baseVal.value + box.width.baseVal.value);
      text.setAttribute("y", box.y.baseVal.value + 3);
      text.setAttribute("text-anchor", "end");
      text.setAttribute("aria-hidden", "true"); // it is no part of the node's name
      node.after(text);
      setTimeout(() => text.remove(), time);
    };

    let drawnNames = {};
    const show = (text, json = "{}") => {
      const names = JSON.parse(json) ?? {};
      const before = placesOf(drawnNames);
      drawnNames = names;
      const focused = svg?.contains(document.activeElement) ? document.activeElement.id : undefined;
      letGo(false);
      svg = current = undefined;
      told = null;
      joined = new Map();
      stage.replaceChildren();
      if (!text) return "";
      const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
      if (parsed.querySelector("parsererror")) return "it is not valid SVG";
      svg = document.adoptNode(parsed.documentElement);
      harmless(svg);
      ({ width, height } = svg.viewBox.baseVal);
      stage.style.aspectRatio = `${width} / ${height}`;
      svg.setAttribute("width", width);
      svg.setAttribute("height", height);
      svg.setAttribute("role", "graphics-document");
      svg.setAttribute("aria-label", container.getAttribute("aria-label"));
      for (const element of svg.querySelectorAll(elements)) {
        const id = element.id;
        element.id = lead + id;
        prepare(element, names[id]);
        for (const end of names[id]?.ends ?? []) {
          for (const id of [end, names[end]?.in].filter(Boolean)) {
            if (!joined.has(id)) joined.set(id, []);
            joined.get(id).push(element);
          }
        }
      }
      rove(svg.querySelector("g.node, g.cluster") ?? svg.querySelector(elements));
      stage.replaceChildren(svg);
      font = parseFloat(svg.querySelector("[data-font]")?.dataset.font) || Math.min(...[...svg.querySelectorAll(":is(.node, .cluster) text")].map((text) => parseFloat(text.getAttribute("font-size")) || smallestLabel));
      if (fitted && fittedSize !== sizeOf()) fit();
      slide(before, placesOf(names));
      // Keeps the focus on the same element if the new drawing has it.
      if (focused !== undefined) (document.getElementById(focused) ?? container).focus({ preventScroll: true });
      return "";
    };

    const select = (id) => {
      svg?.setAttribute("aria-label", container.getAttribute("aria-label")); // the label follows the state
      svg?.querySelector(".is-selected")?.classList.remove("is-selected");
      elementOf(id)?.classList.add("is-selected");
    };

    const displace = (ids) => {
      for (const element of svg?.querySelectorAll(".is-moved") ?? []) element.classList.remove("is-moved");
      for (const id of ids.split(" ")) elementOf(id)?.classList.add("is-moved");
    };

    on(container, "wheel", (event) => {
      event.preventDefault();
      const pixels = event.deltaY * [1, 16, 100][event.deltaMode];
      zoomAt(Math.exp(-pixels * (event.ctrlKey ? 0.01 : 0.002)), ...local(event));
    }, { passive: false });

    let carried; // {node, copy, label, from, at, over, event}: a node that the pointer carries
    const carry = (event, node) => {
      const copy = node.cloneNode(true), label = document.createElement("div");
      copy.removeAttribute("id");
      copy.classList.add("is-carried");
      label.className = "carry-label";
      label.setAttribute("role", "status");
      label.append(document.createElement("p"), document.createElement("p"));
      node.parentNode.append(copy);
      container.append(label);
      carried = { node, copy, label, from: [event.clientX, event.clientY], at: local(event), over: undefined };
      requestAnimationFrame(scrollOn);
    };
    // At the edge of what is in sight a carried node scrolls the page, as far as the drawing goes.
    const scrollOn = () => {
      const { event, from } = carried ?? {}, page = container.closest(".bench");
      if (!carried || !page) return;
      const { top, bottom } = page.getBoundingClientRect(), drawing = container.getBoundingClientRect(), before = page.scrollTop;
      if (event?.clientY < top + scrollEdge && drawing.top < top) page.scrollTop -= 8;
      if (event?.clientY > bottom - scrollEdge && drawing.bottom > bottom) page.scrollTop += 8;
      if (page.scrollTop !== before) {
        from[1] -= page.scrollTop - before;
        carryTo(event);
      }
      requestAnimationFrame(scrollOn);
    };
    // The label is beside the pointer, within the container.
    const beside = () => {
      const { label, at: [px, py] } = carried;
      const left = Math.min(px + 12, container.clientWidth - label.offsetWidth - 4), top = py + 12 + label.offsetHeight;
      label.style.transform = `translate(${left}px, ${top < container.clientHeight ? py + 12 : py - 12 - label.offsetHeight}px)`;
    };
    const carryTo = (event) => {
      const { copy, from, node } = carried;
      copy.setAttribute("transform", `translate(${(event.clientX - from[0]) / scale} ${(event.clientY - from[1]) / scale})`);
      [carried.at, carried.event] = [local(event), event];
      beside();
      const inside = ({ left, right, top, bottom }) => event.clientX >= left && event.clientX <= right && event.clientY >= top && event.clientY <= bottom;
      const box = [...svg.querySelectorAll("g.cluster, g.collapsed")].findLast((c) => inside(c.getBoundingClientRect()));
      const over = box ? idOf(box) : "";
      if (over === carried.over) return;
      svg.querySelector(".is-over")?.classList.remove("is-over");
      box?.classList.add("is-over");
      carried.over = over;
      answer("", "", false);
      container.dispatchEvent(new CustomEvent("berth:carry", { detail: { id: idOf(node), over, dropped: false } }));
    };
    const letGo = (kept) => {
      if (!carried) return;
      const { node, copy, label, over = "" } = carried;
      carried = undefined;
      copy.remove();
      label.remove();
      svg?.querySelector(".is-over")?.classList.remove("is-over");
      container.dispatchEvent(new CustomEvent("berth:carry", { detail: { id: idOf(node), over: kept ? over : "", dropped: true } }));
    };
    const answer = (first, second, refused) => {
      if (!carried) return;
      const [a, b] = carried.label.children;
      [a.textContent, b.textContent] = [first, second];
      a.classList.toggle("is-refused", refused);
      beside();
    };
    on(window, "keydown", (event) => {
      if (event.key === "Escape") letGo(false);
    });

    let dragged = false, pressed; // the node below the pointer when it went down
    on(container, "pointerdown", (event) => {
      if (event.button !== 0) return;
      if (pointers.size === 0) dragged = false;
      pressed = container.dataset.carry && pointers.size === 0 ? event.target.closest("g.node:not(.collapsed)") : null;
      pointers.set(event.pointerId, local(event));
    });
    // A finger scrolls past a drawing for a phone, but not from a node that it can carry.
    on(container, "touchmove", (event) => {
      if (pressed && event.cancelable) event.preventDefault();
    }, { passive: false });
    on(container, "pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      const now = local(event);
      const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
      if (!dragged && Math.hypot(dx, dy) < 4) return;
      if (!dragged) container.setPointerCapture(event.pointerId);
      if (!dragged && pressed) carry(event, pressed);
      dragged = true;
      pointers.set(event.pointerId, now);
      if (carried && pointers.size > 1) letGo(false); // two fingers zoom
      if (carried) return carryTo(event);
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
      if (!other && fitted && event.pointerType === "touch" && svg?.matches(".narrow")) return; // the page scrolls
      if (!other) return move(dx, dy);
      const distance = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
      move(dx / 2, dy / 2);
      zoomAt(distance(now) / distance(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
    });
    for (const end of ["pointerup", "pointercancel"]) {
      on(container, end, (event) => {
        pointers.delete(event.pointerId);
        letGo(end === "pointerup");
      });
    }
    on(container, "pointerleave", (event) => {
      if (!dragged) pointers.delete(event.pointerId);
    });

    on(container, "pointerover", (event) => {
      if (pointers.size === 0) tell(event.target.closest(elements), false);
    });
    on(container, "pointerleave", () => tell(null, false));
    // A finger takes a job that it touches, or else one whose box would reach it if that had
    // 44 pixels each way.
    const touched = (event) => {
      const direct = event.target.closest("g.node");
      if (direct || event.pointerType !== "touch") return direct;
      const beyond = (low, high, at) => Math.max(low - at, at - high, 0);
      let best = null, least = Infinity;
      for (const node of container.querySelectorAll("g.node")) {
        const { left, right, top, bottom, width, height } = node.getBoundingClientRect();
        const [across, down] = [beyond(left, right, event.clientX), beyond(top, bottom, event.clientY)];
        if (across > Math.max(0, 22 - width / 2) || down > Math.max(0, 22 - height / 2) || across + down >= least) continue;
        [best, least] = [node, across + down];
      }
      return best;
    };
    on(container, "click", (event) => {
      const element = touched(event) ?? event.target.closest(elements);
      if (element && !dragged) {
        rove(element);
        element.focus({ preventScroll: true });
        tell(element, true);
      }
    });

    on(container, "focusin", (event) => {
      const element = event.target.closest(elements);
      if (!element) return;
      rove(element);
      reveal(element);
      tell(element, false);
    });
    on(container, "focusout", () => tell(null, false));

    const keys = {
      "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), "0": fit,
      ArrowLeft: () => move(step, 0), ArrowRight: () => move(-step, 0),
      ArrowUp: () => move(0, step), ArrowDown: () => move(0, -step),
    };
    on(container, "keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const element = event.target.closest?.(elements);
      const next = element && event.key.startsWith("Arrow") && nearest(svg, element, event.key);
      if (next) next.focus({ preventScroll: true });
      else if (element && event.key === "Enter") tell(element, true);
      else if (element && event.key === "Escape") container.focus();
      else if (keys[event.key]) keys[event.key]();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });

    // The drawing stays fitted when its pane changes size, until someone moves it.
    const observer = new ResizeObserver(() => fitted && svg && fit());
    observer.observe(container);

    return {
      show, fit, zoom, select, find, displace, answer,
      destroy() {
        listening.abort();
        observer.disconnect();
        container.replaceChildren();
      },
    };
  };

  // Labels come from files of strangers: nothing in a drawing may run or load.
  const harmless = (svg) => {
    for (const bad of svg.querySelectorAll("script, foreignObject, iframe, image, use")) bad.remove();
    for (const element of svg.querySelectorAll("*")) {
      for (const { name } of [...element.attributes]) {
        if (/^on|href$/i.test(name)) element.removeAttribute(name);
      }
    }
  };

  const nameOf = (element) => element.querySelector("title")?.textContent ?? "";

  // An element's name has three parts: what it is, the text drawn on it, and where.
  const spoken = (element, { kind, title, where }) =>
    [kind, [...element.querySelectorAll("text")].map((t) => t.textContent.trim()).join(" ") || title, where].filter(Boolean).join(" ");

  const prepare = (element, name) => {
    element.setAttribute("tabindex", "-1");
    element.setAttribute("role", "button");
    element.setAttribute("aria-label", name ? spoken(element, name) : nameOf(element));
    if (!element.classList.contains("edge")) return;
    // A line of one pixel is hard to hit with the pointer.
    const line = element.querySelector("path");
    if (!line) return;
    const wide = line.cloneNode();
    wide.setAttribute("class", "hit");
    line.before(wide);
  };

  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };

  // The nearest element of the same kind in the direction of an arrow key; distance to
  // the side counts double.
  const nearest = (svg, from, key) => {
    const [fx, fy] = middle(from);
    const sideways = key === "ArrowLeft" || key === "ArrowRight";
    const sign = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
    let best, least = Infinity;
    for (const element of svg.querySelectorAll(`g.${from.classList[0]}`)) {
      const [ex, ey] = middle(element);
      const ahead = sign * (sideways ? ex - fx : ey - fy);
      const aside = Math.abs(sideways ? ey - fy : ex - fx);
      if (element !== from && ahead > 1 && ahead + 2 * aside < least) {
        least = ahead + 2 * aside;
        best = element;
      }
    }
    return best;
  };

  // Two pixels for each of the drawing, and no side longer than canvases can be.
  berth.png = async (svg) => {
    const image = new Image(), url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    try {
      await new Promise((onload, onerror) => Object.assign(image, { onload, onerror, src: url }));
      const [width, height] = [image.naturalWidth, image.naturalHeight], scale = Math.min(2, 8192 / Math.max(width, height));
      const canvas = Object.assign(document.createElement("canvas"), { width: width * scale, height: height * scale });
      const paper = canvas.getContext("2d");
      paper.fillStyle = "white";
      paper.fillRect(0, 0, canvas.width, canvas.height);
      paper.drawImage(image, 0, 0, canvas.width, canvas.height);
      return await new Promise((made) => canvas.toBlob(made, "image/png"));
    } finally {
      URL.revokeObjectURL(url);
    }
  };
})();
