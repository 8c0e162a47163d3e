// Package queue executes runs on many machines that share a NATS server with JetStream.
//
// The design relies on stored results, not on exactly-once messages. A run is a message whose
// subject contains the hash of the run, and the stream holds at most one message per hash. The
// result goes into a bucket under the same hash, and the bucket keeps only the first result. So a
// message that is delivered twice does no harm, and a worker that joins late finds the results of
// completed runs:
//
//   - The stream is a work queue with one consumer that all workers share. Each worker takes
//     one message at a time, and reports progress at a third of the acknowledgement time, so
//     that the server does not redeliver a long run.
//   - If a worker is killed, it stops reporting, and the server delivers its run to another
//     worker. The last delivery does not start the run; it stores the result that the run kills
//     every worker.
//   - Inputs that are too large for a message are in an object store under their hash.
//
// A worker recomputes the hash of a run from the inputs that it received. A result carries a
// checksum of its key and its bytes, as in a folder store. Messages and results that do not match
// are refused, and the run is submitted again, a few times.
//
// Subjects, the consumer and the buckets contain the version of the engine. A worker never gets
// runs of another version, but reports that such runs are waiting.
package queue
