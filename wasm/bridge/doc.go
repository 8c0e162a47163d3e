// Package bridge carries what the page and its engine workers say to each other: the
// messages, and the [Pool] of workers that the page calls.
//
// A message is a small head in JSON, a body in JSON and any number of files. Body and
// files are plain bytes that cross as transferable buffers, so that the page's only
// thread neither escapes nor copies the text of a large graph: a graph that was picked
// or dropped goes to the worker as the [Blob] that the browser gave. So does a trace,
// and the worker reads it a piece at a time.
//
// A worker answers each call with any number of progress messages and exactly one
// result or error. It handles one call at a time and remembers the last experiments it
// ran, by the hash of their scenario; it answers a question about another one with
// [UnknownScenario], and the pool then sends the scenario along. A worker that is asked
// to stop lets messages in whenever it reports progress: it answers with the result so
// far.
package bridge
