// The editor that replaces a text area (app/ui/editor.go), built on CodeMirror; the
// site's build bundles this file with what it imports.
//
//   berth.edit(area, options) puts an editor over a text area, or updates the one
//   that is there, and returns it: { area, show(line, column), find(), destroy() }.
//   While someone writes in the text area itself it returns undefined.
//   Options are JSON: { language, nodes, edges, marks }.
//
// The text area stays in the page, invisible, so scripts need no knowledge of the
// editor. The area's value is the editor's text, to read or to set; the area gets the
// event "change" when the page should take over what was typed; and the editor takes
// over text that is written into the area with an event "input". The editor has no
// history: the page undoes typing as it undoes everything else.
import { autocompletion, completionKeymap, acceptCompletion } from "@codemirror/autocomplete";
import { defaultKeymap, indentLess, indentMore, insertNewlineKeepIndent } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, indentUnit, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { diagnosticCount, lintGutter, nextDiagnostic, previousDiagnostic, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { Annotation, Compartment, EditorState, Prec } from "@codemirror/state";
import { EditorView, highlightSpecialChars, keymap, lineNumbers, placeholder } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const keyword = /^(?:strict|graph|digraph|subgraph|node|edge)$/i;
const name = /[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*/;
const number = /-?(?:\.\d+|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)/;

// Tokens that may continue on the next line: comments and strings.
const until = (end, style) => (stream, state) => {
  if (stream.match(end)) state.within = null;
  else stream.skipToEnd();
  return style;
};
const inComment = until(/^.*?\*\//, "comment");
const inString = until(/^(?:[^"\\]|\\.)*"/, "string");

const dot = StreamLanguage.define({
  name: "dot",
  languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } } },
  startState: () => ({ within: null, list: false }),
  token(stream, state) {
    if (state.within) return state.within(stream, state);
    if (stream.eatSpace()) return null;
    if (stream.match("//") || stream.sol() && stream.match("#")) return stream.skipToEnd(), "comment";
    if (stream.match("/*")) return (state.within = inComment)(stream, state);
    if (stream.match('"')) return (state.within = inString)(stream, state);
    if (stream.match(/^-[->]/)) return "operator";
    if (stream.match(number)) return "number";
    if (stream.match(name)) {
      if (keyword.test(stream.current())) return "keyword";
      return state.list && stream.match(/^\s*=/, false) ? "propertyName" : "variableName";
    }
    const c = stream.next();
    if (c === "[" || c === "]") state.list = c === "[";
    return "[]{}".includes(c) ? "bracket" : null;
  },
});

// Tables; with keys (words before colons) also JSON and YAML.
const data = (keys) => StreamLanguage.define({
  name: keys ? "keys" : "table",
  startState: () => ({ first: true }),
  token(stream, state) {
    if (stream.eatSpace()) return null;
    if (stream.match("#")) return stream.skipToEnd(), "comment";
    if (!keys && state.first && /^\s*[A-Za-z_]/.test(stream.string)) return stream.skipToEnd(), state.first = false, "keyword";
    state.first = false;
    const style = stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'[^']*'?/) ? "string"
      : stream.match(/^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?=[\s,;\]}]|$)/) ? "number"
      : keys && stream.match(/^(?:true|false|null)\b/) ? "atom"
      : stream.match(/^[^\s,;:"'{}[\]]+/) ? "variableName" : null;
    if (style === null) return "[]{}".includes(stream.next()) ? "bracket" : null;
    return keys && style !== "number" && stream.match(/^\s*:/, false) ? "propertyName" : style;
  },
});

// Starlark, which has the syntax of Python.
const inLongString = until(/^.*?"""/, "string");
const python = StreamLanguage.define({
  name: "python",
  languageData: { commentTokens: { line: "#" } },
  startState: () => ({ within: null }),
  token(stream, state) {
    if (state.within) return state.within(stream, state);
    if (stream.eatSpace()) return null;
    if (stream.match("#")) return stream.skipToEnd(), "comment";
    if (stream.match('"""')) return (state.within = inLongString)(stream, state);
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'(?:[^'\\]|\\.)*'?/)) return "string";
    if (stream.match(number) && stream.current() !== "-") return "number";
    if (stream.match(/^(?:and|break|continue|def|elif|else|for|if|in|lambda|not|or|pass|return)\b/)) return "keyword";
    if (stream.match(/^(?:None|True|False)\b/)) return "atom";
    if (stream.match(name)) return "variableName";
    return "()[]{}".includes(stream.next()) ? "bracket" : "operator";
  },
});

const languages = { dot, table: data(false), keys: data(true), python: [python, Prec.high(indentUnit.of("    "))] };

// Inserts what the language indents by.
const indent = (view) => {
  if (view.state.selection.ranges.some((range) => !range.empty)) return indentMore(view);
  view.dispatch(view.state.replaceSelection(view.state.facet(indentUnit)), { scrollIntoView: true, userEvent: "input" });
  return true;
};

// The names of the nodes of a graph, except the word at the caret.
const nodesOf = (text, from) => {
  const found = new Set();
  const parts = /\/\/.*|^#.*|\/\*[^]*?\*\/|\[(?:"(?:[^"\\]|\\.)*"|[^\]"])*\]|"((?:[^"\\\n]|\\.)*)"|([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)(?!\s*=)/gm;
  for (const { index, 1: quoted, 2: plain } of text.matchAll(parts)) {
    if (plain && index !== from && !keyword.test(plain)) found.add(plain);
    if (quoted && !quoted.includes("\\")) found.add(quoted);
  }
  return [...found].map((label) => ({ label, apply: label.replace(name, "") ? `"${label}"` : label }));
};

const reach = 4000; // how many characters before the caret we search for the beginning of a statement

// What can be completed at a position in a graph: in brackets the attributes of a node
// or an edge; in label="…" the known labels; elsewhere the names of nodes.
const complete = (options) => (context) => {
  const word = context.matchBefore(/[\w\u0080-\uffff]*/);
  if (options.language !== "dot" || !word.text && !context.explicit) return null;
  const { doc } = context.state;
  const before = doc.sliceString(Math.max(0, word.from - reach), word.from);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const open = before.lastIndexOf("["), inList = open > before.lastIndexOf("]");
  const statement = before.slice(0, open).split(/[;{}\n]|\]\s/).at(-1);
  const words = /--|->|\bedge\b/.test(statement) ? options.edges : options.nodes;
  if (line.split('"').length % 2 === 0) {
    const label = /\blabel\s*=\s*"([^"]*)$/.exec(line);
    return inList && label && { from: word.from - label[1].length, options: words.filter(({ quoted }) => quoted), validFor: /^[\w -]*$/ };
  }
  if (line.includes("//") || inList && /=\s*$/.test(before)) return null;
  const valid = /^[\w\u0080-\uffff]*$/;
  if (inList) return { from: word.from, validFor: valid, options: words.flatMap((w) => w.quoted ? [] : { ...w, apply: w.label + "=" }) };
  const nodes = nodesOf(doc.toString(), word.from);
  const whole = new Set(nodes.map(({ label }) => label)); // a whole name needs no completion
  return { from: word.from, options: nodes.filter(({ label }) => label !== word.text), validFor: (text) => valid.test(text) && !whole.has(text) };
};

// Lines and columns count from 1, columns in characters; column 0 means the whole line.
const rangeOf = (doc, { line: number, column }) => {
  const line = doc.line(Math.min(number, doc.lines));
  if (!column) return { from: line.from, to: line.to };
  const before = Array.from(line.text.slice(0, 2 * column)).slice(0, column - 1).join("").length;
  const from = line.from + Math.min(before, line.length);
  const token = /^(?:"(?:[^"\\]|\\.)*"|-?[\w.\u0080-\uffff]+|.)/u.exec(line.text.slice(before))?.[0] ?? "";
  return { from, to: from + token.length };
};

const colors = syntaxHighlighting(HighlightStyle.define([
  { tag: tags.keyword, fontWeight: "600" },
  { tag: tags.propertyName, color: "var(--accent)" },
  { tag: [tags.number, tags.atom], color: "var(--bronze)" },
  { tag: tags.string, color: "var(--good)" },
  { tag: [tags.comment, tags.operator, tags.bracket], color: "var(--ink-soft)" },
]));

const wavy = (color) => ({ background: "none", padding: "0", textDecoration: `underline wavy var(${color}) 1px`, textUnderlineOffset: "3px", textDecorationSkipInk: "none" });
const floating = { color: "var(--ink)", backgroundColor: "var(--surface)", border: "1px solid var(--line-strong)", borderRadius: "var(--radius)" };
const field = { width: "auto", height: "auto", margin: "0", padding: "1px 6px", fontSize: "inherit", lineHeight: "20px" };

// CodeMirror's elements in the colours of the page.
const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "inherit", color: "var(--ink)", backgroundColor: "var(--ground)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "20px" },
  ".cm-content": { padding: "4px 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 8px" },
  ".cm-placeholder": { color: "var(--ink-soft)" },
  ".cm-gutters": { color: "var(--ink-soft)", backgroundColor: "var(--surface)", border: "0", borderRight: "1px solid var(--line)" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "28px", padding: "0 6px 0 0" },
  ".cm-gutter-lint": { width: "16px" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "0" },
  ".cm-lint-marker, .cm-lint-marker-error, .cm-lint-marker-warning, .cm-lint-marker-info": { content: "none", width: "16px", height: "20px", textAlign: "center", fontWeight: "700" },
  ".cm-lint-marker::before": { content: "'i'" },
  ".cm-lint-marker-error::before": { content: "'×'" },
  ".cm-lint-marker-warning::before": { content: "'!'" },
  ".cm-lint-marker-error": { color: "var(--bad)", backgroundColor: "var(--bad-soft)" },
  ".cm-lint-marker-warning": { color: "var(--warn)" },
  ".cm-lint-marker-info": { color: "var(--accent)" },
  ".cm-lintRange-error": wavy("--bad"),
  ".cm-lintRange-warning": wavy("--warn"),
  ".cm-lintRange-info": wavy("--accent"),
  ".cm-lintRange-active": { backgroundColor: "var(--raised)" },
  ".cm-lintPoint::after": { borderBottomColor: "var(--warn)" },
  ".cm-lintPoint-error::after": { borderBottomColor: "var(--bad)" },
  ".cm-diagnostic": { padding: "2px 8px", font: "12px/16px var(--pico-font-family)" },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--bad)" },
  ".cm-diagnostic-warning": { borderLeft: "3px solid var(--warn)" },
  ".cm-diagnostic-info": { borderLeft: "3px solid var(--accent)" },
  "&.cm-focused .cm-matchingBracket": { color: "var(--ink)", backgroundColor: "var(--raised)", outline: "1px solid var(--line-strong)" },
  "&.cm-focused .cm-nonmatchingBracket": { color: "var(--bad)", backgroundColor: "var(--bad-soft)" },
  ".cm-selectionMatch": { backgroundColor: "var(--raised)" },
  ".cm-searchMatch": { backgroundColor: "var(--accent-soft)", outline: "1px solid var(--line-strong)" },
  ".cm-searchMatch-selected": { color: "var(--accent-ink)", backgroundColor: "var(--accent)" },
  ".cm-searchMatch-selected *": { color: "inherit !important" },
  ".cm-specialChar": { color: "var(--bad)" },
  ".cm-tooltip": floating,
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "200px", margin: "0", padding: "0" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { margin: "0", padding: "1px 8px", listStyle: "none", color: "var(--ink)", lineHeight: "20px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { color: "var(--accent-ink)", backgroundColor: "var(--accent)" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-completionDetail": { fontStyle: "normal", opacity: "1", marginLeft: "12px" },
  ".cm-panels": { color: "var(--ink)", backgroundColor: "var(--surface)", zIndex: "3" },
  ".cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panel.cm-search": { display: "flex", flexWrap: "wrap", alignItems: "center", gap: "4px", padding: "4px 32px 4px 4px", font: "12px/20px var(--pico-font-family)" },
  ".cm-panel.cm-search input, .cm-panel.cm-search button": field,
  ".cm-panel.cm-search input[type=checkbox]": { width: "16px", height: "16px", margin: "0 4px 0 0", padding: "0" },
  ".cm-panel.cm-search .cm-textfield": { ...field, flex: "1 1 100px", minWidth: "0", color: "var(--ink)", backgroundColor: "var(--ground)", border: "1px solid var(--line-strong)" },
  ".cm-panel.cm-search input[name=replace]": { flexBasis: "50%" }, // on a line of its own
  ".cm-panel.cm-search label": { display: "inline-flex", alignItems: "center", color: "var(--ink)", fontSize: "12px" },
  ".cm-panel.cm-search .cm-button": { color: "var(--ink)", background: "var(--ground)", border: "1px solid var(--line-strong)", borderRadius: "var(--radius)" },
  ".cm-panel.cm-search [name=close]": { top: "4px", right: "4px", minWidth: "24px", padding: "0", color: "var(--ink)", background: "none", border: "0", fontSize: "16px" },
});

// Ctrl+Enter belongs to the page, which runs the scenario; CodeMirror would insert a
// line.
const keys = [
  { key: "Tab", run: acceptCompletion },
  { key: "Tab", run: indent, shift: indentLess },
  { key: "Enter", run: acceptCompletion },
  { key: "Enter", run: insertNewlineKeepIndent },
  { key: "F8", run: nextDiagnostic, shift: previousDiagnostic },
  ...[...completionKeymap, ...searchKeymap, ...defaultKeymap].filter(({ key }) => key !== "Mod-Enter"),
];

const settleTime = 300; // ms without a key before the page takes over the text

const native = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value");
const fromPage = Annotation.define(); // marks a change that came from the page

class Editor {
  options = { marks: [] };
  given = ""; // the options as JSON
  marked = null; // the document that has the marks
  described = new Compartment();
  written = ""; // the last known value of the text area itself

  constructor(area) {
    this.area = area;
    this.root = area.closest(".editor");
    this.language = new Compartment();
    this.view = new EditorView({
      doc: area.value,
      selection: { anchor: 0 },
      parent: area.parentElement.querySelector(".editor-live"),
      extensions: [
        lintGutter(), lineNumbers(), highlightSpecialChars(), bracketMatching(), highlightSelectionMatches(), search({ top: true }),
        EditorState.tabSize.of(4), indentUnit.of("\t"), placeholder(area.placeholder), theme, colors,
        this.language.of([]), this.described.of([]),
        autocompletion({ override: [(context) => complete(this.options)(context)], icons: false }),
        keymap.of(keys),
        EditorView.updateListener.of((update) => this.changed(update)),
        EditorView.domEventHandlers({ blur: () => this.tell(), beforeinput: (event) => this.undo(event) }),
      ],
    });
    this.standIn();
    this.leaveFullScreen();
  }

  // Makes the text area a proxy for the editor.
  standIn() {
    const { area, view } = this;
    this.written = area.value;
    area.tabIndex = -1;
    area.setAttribute("aria-hidden", "true");
    Object.defineProperty(area, "value", { configurable: true, get: () => view.state.doc.toString(), set: (text) => this.replace(text) });
    area.addEventListener("focus", this.onFocus = () => this.write(area.value));
    area.addEventListener("input", this.onInput = () => {
      const text = native.get.call(area);
      if (text !== this.written) this.replace(this.written = text);
    });
    // While someone writes, the page asks the focused element for "written"
    // (app/ui/held.go).
    Object.defineProperty(view.contentDOM, "written", { get: () => area.written, set() {} });
    view.contentDOM.addEventListener("change", () => this.tell());
  }

  write(text) {
    native.set.call(this.area, text);
    this.written = native.get.call(this.area);
  }

  // Tells the page to take over the text now.
  tell() {
    clearTimeout(this.resting);
    if (this.area.written) this.area.dispatchEvent(new Event("change", { bubbles: true }));
  }

  // The page hears of a change only when the keyboard rests, since its work may be
  // long.
  changed(update) {
    if (!update.docChanged || update.transactions.some((t) => t.annotation(fromPage))) return;
    this.area.written = true;
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.tell(), settleTime);
  }

  // Browser and phone menus undo through this event: treat it like the keys. Chromium
  // would otherwise undo text here when it is asked in another field.
  undo(event) {
    const key = { historyUndo: "z", historyRedo: "y" }[event.inputType];
    if (!key) return false;
    event.preventDefault();
    if (this.view.hasFocus) this.view.contentDOM.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey: true, bubbles: true }));
    return true;
  }

  // Postpones what the page asks for while the editor draws: the drawing itself can
  // cause events, such as a lost focus, that the page reacts to. CodeMirror has no
  // other sign of that.
  whenIdle(act) {
    if (this.view.updateState) queueMicrotask(() => { if (editors.has(this.area)) act(); });
    else act();
  }

  replace(text) { this.whenIdle(() => this.put(text)); }

  // Replaces the text but keeps what both texts share, so that caret and marks stay.
  put(text) {
    text = text.replace(/\r\n?/g, "\n");
    const { view, area } = this;
    const now = view.state.doc.toString();
    if (document.activeElement === area && native.get.call(area) !== text) this.write(text);
    if (text === now) return;
    const most = Math.min(text.length, now.length);
    let same = 0, end = 0;
    while (same < most && text[same] === now[same]) same++;
    while (end < most - same && text.at(-1 - end) === now.at(-1 - end)) end++;
    const insert = text.slice(same, text.length - end);
    const caret = view.hasFocus ? { selection: { anchor: same + insert.length }, scrollIntoView: true } : {};
    view.dispatch({ changes: { from: same, to: now.length - end, insert }, annotations: fromPage.of(true), ...caret });
    this.marked = null;
  }

  update(given) { this.whenIdle(() => this.describe(given)); }

  describe(given) {
    const { view, area } = this;
    const about = Object.fromEntries(["aria-label", "aria-describedby", "aria-invalid"].flatMap((name) => area.hasAttribute(name) ? [[name, area.getAttribute(name)]] : []));
    const effects = [];
    if (given !== this.given) {
      this.given = given;
      this.options = JSON.parse(given);
      this.marked = null;
      effects.push(this.language.reconfigure(languages[this.options.language] ?? []));
    }
    const description = JSON.stringify(about);
    if (description !== this.description) {
      this.description = description;
      effects.push(this.described.reconfigure(EditorView.contentAttributes.of({ ...about, tabindex: "0", autocapitalize: "off", autocorrect: "off", spellcheck: "false" })));
    }
    if (effects.length) view.dispatch({ effects });
    this.mark();
  }

  // CodeMirror moves marks with the text. They are set again when they change, or when
  // some disappeared with the text around them.
  mark() {
    const { view, options: { marks } } = this;
    const placed = marks.filter(({ line }) => line > 0);
    if (this.marked !== null && (this.marked === view.state.doc || diagnosticCount(view.state) === placed.length)) return;
    this.marked = view.state.doc;
    view.dispatch(setDiagnostics(view.state, placed.map((m) => ({ ...rangeOf(view.state.doc, m), severity: m.severity, message: m.message }))));
  }

  show(line, column) {
    const { view } = this;
    this.whenIdle(() => {
      view.dispatch({ selection: { anchor: rangeOf(view.state.doc, { line, column }).from }, effects: [] });
      view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main, { y: "center" }) });
      view.focus();
    });
  }

  find() { this.whenIdle(() => openSearchPanel(this.view)); }

  // Escape leaves the full screen unless it closed something else; so does moving the
  // focus out.
  leaveFullScreen() {
    const leave = () => this.root.matches(".editor-full") && this.root.querySelector(".editor-full-button").click();
    this.root.addEventListener("keydown", this.onKey = (event) => { if (event.key === "Escape" && !event.defaultPrevented) leave(); });
    this.root.addEventListener("focusout", this.onLeave = ({ relatedTarget }) => { if (relatedTarget && !this.root.contains(relatedTarget)) leave(); });
  }

  destroy() {
    const { area, root, view } = this;
    delete area.value;
    area.removeEventListener("focus", this.onFocus);
    area.removeEventListener("input", this.onInput);
    root.removeEventListener("keydown", this.onKey);
    root.removeEventListener("focusout", this.onLeave);
    clearTimeout(this.resting);
    view.destroy();
    editors.delete(area);
  }
}

const editors = new WeakMap();

globalThis.berth.edit = (area, given) => {
  let editor = editors.get(area);
  if (!editor) {
    if (document.activeElement === area) return undefined;
    editors.set(area, editor = new Editor(area));
  }
  editor.update(given);
  return editor;
};
