// Package bridge carries what the page and its engine workers say to each other: the
// messages, and the [Pool] of workers that the page calls.
//
// A message is a small head in JSON, a body in JSON and any number of files. Body and
// files are plain bytes that cross as transferable buffers, so that the page's only
// thread neither escapes nor copies the text of a large graph. A graph that the user
// picked or dropped goes to the worker as the browser's [Blob]; so does a trace, and
// the worker reads it a piece at a time.
//
// A worker answers each call with any number of progress messages and exactly one
// result or error. It handles one call at a time. It remembers the last scenarios it
// ran, by their hash; to a question about another one it answers [UnknownScenario], and
// the pool sends the scenario along. A worker receives messages whenever it reports
// progress: if it is asked to stop, it answers with the result so far.
//
// What a view shows of a run first travels with it: one call answers with the report, the
// document and the answers to the questions that came along, and [Ask] finds those in the
// result.
package bridge
