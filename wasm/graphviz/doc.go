// Package graphviz draws DOT graphs.
//
// The drawing is done by one and the same graphviz.wasm everywhere: native
// programs reach it through go-graphviz ([Render]), the page through a Web
// Worker that runs it on the browser's own engine (WorkerRenderer, with
// web/assets/graphviz-worker.js). So a graph gets the same SVG, byte for byte,
// on both sides. [Sanitise] makes such an SVG fit to be put into a page.
package graphviz
