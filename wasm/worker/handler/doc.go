// Package handler answers the calls that an engine worker gets. It is plain Go:
// the worker's main feeds it in the browser, tests and native pages in process.
package handler
