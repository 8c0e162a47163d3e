// Package queue carries out runs on many machines that share a NATS server with JetStream.
//
// Results count, not messages. A run is a message under the hash of the run, and the stream holds
// at most one message per hash; the result goes into a bucket under the same hash, which keeps only
// the first. So a message that is delivered twice does no harm, and a worker that joins late finds
// the results of completed runs:
//
//   - The stream is a work queue with one consumer that all workers share. Each worker takes
//     one message at a time, and reports progress at a third of the acknowledgement time, so
//     that the server does not deliver a long run again.
//   - A worker that is killed reports nothing, and the server delivers its run to another
//     one. The last delivery does not start the run: its result then says that the run ends
//     every worker.
//   - Inputs that are too large for a message are in an object store under their hash.
//
// A worker recomputes the hash of a run from the inputs that it received, and a result carries a
// checksum of its run and its bytes, as in the store of a folder. A message or a result that does
// not match is refused, and the run submitted again, a few times.
//
// Subjects, the consumer and the buckets carry the version of the engine: workers of another
// version never get a run, and say so.
package queue
