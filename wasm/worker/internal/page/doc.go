//go:build js

// Command page is the page of the engine worker's tests: it has a pool and
// lets the test, which stands outside the browser, call it. Each function
// gives a promise of JSON text, and of {kind, message} where a call fails.
package main
