// Package worker is the engine worker: wasm/app calls Serve when it finds itself
// in a Web Worker instead of a page. One program for both costs a visitor a
// third less to fetch than two, which would share most of their code, and lets
// page and workers share one compiled module.
package worker
