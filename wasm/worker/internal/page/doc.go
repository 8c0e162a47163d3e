//go:build js

// Command page is the test page of the engine worker. It has a pool, which the test calls from
// outside the browser. Each function returns a promise of JSON text, or of an error {kind, message}
// if a call fails.
package main
