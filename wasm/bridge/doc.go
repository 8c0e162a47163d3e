// Package bridge carries the messages between the page and its engine workers. The page calls the
// workers through a [WorkerPool].
//
// A message is a small head in JSON, a body in JSON and any number of files. Body and files are
// plain bytes that are sent as transferable buffers, so that the page's only thread neither escapes
// nor copies the text of a large graph. A file that the user picked or dropped goes to the worker
// as the browser's [Blob]; the worker reads a trace piece by piece.
//
// A worker answers each call with any number of progress messages and exactly one result or error.
// It handles one call at a time. It keeps the last scenarios that it ran, by hash. To a question
// about another scenario it answers [UnknownScenario], and the caller sends the scenario, too. A
// worker receives messages whenever it reports progress. When asked to stop, it answers with the
// result so far.
//
// A view's first screen after a run takes a single call: the answer has the report, the document
// and the answers to the questions that were sent with the run, and [Ask] finds these in the
// result.
package bridge
