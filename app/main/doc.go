// Command app is the page of Berth and, in a Web Worker, its engine. Compiled for the browser it is
// app.wasm. Compiled natively it does nothing, so that the whole module builds anywhere.
package main
