// Draws DOT with Graphviz: the same graphviz.wasm that the command line runs,
// here on the browser's own engine.
//
// The page sends {module} once, the compiled WebAssembly.Module, and then any
// number of {id, dot, layout, format} with dot as a Uint8Array. Each is answered
// by {id, svg}, a Uint8Array as well, or by {id, error}. A graph that takes too
// long is stopped by terminating the worker. The page is isolated, so browsers run
// this only if it is served with the same Cross-Origin-Embedder-Policy.
//
// Every graph gets an instance of its own. That takes five milliseconds, and a
// drawing depends on nothing but its graph: not on the state of the random
// numbers that the last one left behind, nor on memory that a crash spoiled.
// It also means that nothing has to be freed.
'use strict';

const BAD_DESCRIPTOR = 8;
const NOT_SUPPORTED = 52;
const KEEP_MESSAGES = 2; // AGMAX: messages are for aglasterr, none is printed
const UNTOUCHED = 0xa5;

let module;

onmessage = ({ data }) => {
  if (data.module) {
    module = data.module;
    return;
  }
  const { id, dot, layout, format } = data;
  try {
    const svg = draw(dot, layout, format);
    postMessage({ id, svg }, [svg.buffer]);
  } catch (error) {
    const crash = error instanceof Refusal ? '' : 'Graphviz crashed: ';
    postMessage({ id, error: crash + error.message });
  }
};

// Graphviz's own complaint about a graph. Every other error is a crash.
class Refusal extends Error {}

function draw(dot, layout, format) {
  const c = instantiate();
  const stackEnd = guard(c);
  const context = c.gvContextPlugins(pluginTable(c), 1);
  const graph = read(c, dot);
  if (c.gvLayout(context, graph, cString(c, layout))) throw refusal(c);
  const out = c.malloc(8); // a pointer and a length
  if (c.gvRenderData(context, graph, cString(c, format), out, out + 4)) throw refusal(c);
  if (stackEnd().some((byte) => byte !== UNTOUCHED)) throw new Error('stack overflow');
  const [at, length] = new Uint32Array(c.memory.buffer, out, 2);
  return new Uint8Array(c.memory.buffer, at, length).slice();
}

function instantiate() {
  const instance = new WebAssembly.Instance(module, hostFunctions(() => instance.exports.memory.buffer));
  instance.exports._start();
  instance.exports.agseterr(KEEP_MESSAGES);
  return instance.exports;
}

// guard marks the end of the stack: a stack that grows beyond it silently overwrites
// data.
function guard(c) {
  const end = () => new Uint8Array(c.memory.buffer, c.__stack_low.value, 64);
  end().fill(UNTOUCHED);
  return end;
}

// pluginTable copies the list of built-in plug-ins (three entries of two
// pointers), because gvContextPlugins wants one that ends with a null entry.
function pluginTable(c) {
  const size = 24;
  const table = c.malloc(size + 8);
  const memory = new Uint8Array(c.memory.buffer);
  memory.copyWithin(table, c.lt_preloaded_symbols.value, c.lt_preloaded_symbols.value + size);
  return memory.fill(0, table + size, table + size + 8), table;
}

function read(c, dot) {
  const graph = c.agmemread(cString(c, dot));
  // When its stack is full, the parser returns what it has read so far.
  if (!graph || c.agerrors()) throw refusal(c);
  return graph;
}

// cString copies a string or its bytes into Graphviz's memory.
function cString(c, text) {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const at = c.malloc(bytes.length + 1);
  const target = new Uint8Array(c.memory.buffer, at, bytes.length + 1);
  target.set(bytes);
  target[bytes.length] = 0;
  return at;
}

function refusal(c) {
  const at = c.aglasterr();
  if (!at) return new Refusal('no reason given');
  const memory = new Uint8Array(c.memory.buffer);
  return new Refusal(new TextDecoder().decode(memory.subarray(at, memory.indexOf(0, at))).trim());
}

// hostFunctions returns Graphviz's imports: no files, no environment, a clock that
// stands still, and none of env.*, which lets a Go program add plug-ins.
function hostFunctions(memory) {
  const zeros = (...words) => {
    for (const at of words) new DataView(memory()).setUint32(at, 0, true);
    return 0;
  };
  const wasi = {
    proc_exit: (status) => { throw new Error(`exit status ${status}`); },
    fd_prestat_get: () => BAD_DESCRIPTOR,
    environ_sizes_get: (count, size) => zeros(count, size),
    environ_get: () => 0,
    clock_time_get: (clock, precision, time) => zeros(time, time + 4),
  };
  const functions = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    functions[from] ??= {};
    functions[from][name] = from === 'env'
      ? () => { throw new Error(`${name} is not there`); }
      : wasi[name] ?? (() => NOT_SUPPORTED);
  }
  return functions;
}
