// Package graphviz draws DOT graphs.
//
// The same graphviz.wasm draws everywhere: native programs run it through go-graphviz
// ([Render]), the page in a Web Worker on the browser's own engine (WorkerRenderer,
// with web/assets/graphviz-worker.js). So a graph gets the same SVG, byte for byte,
// on both sides. [Sanitise] makes the SVG safe to insert into a page.
package graphviz
