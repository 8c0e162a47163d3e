// Package handler answers the calls to an engine worker. It is plain Go: package
// worker calls it in the browser; tests and native pages call it in process.
package handler
