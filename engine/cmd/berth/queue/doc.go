// Package queue carries runs out on many machines, which share a server with NATS
// JetStream.
//
// The result counts, not the message. A run is a message under its hash, and the stream
// takes one message of a hash at a time; its result goes into a bucket under the same
// hash, which keeps only the first. So a message that is delivered twice does no harm,
// and a worker that comes later finds what is done:
//
//   - The stream is a work queue with one consumer that all workers share. Each takes
//     one message at a time, and says every third of the time to acknowledge that it
//     still works, so that a long run is not delivered again.
//   - A worker that is killed says nothing: the run is delivered to another one. A run
//     that ends its worker each time is not tried on its last delivery, but has a
//     result that says so.
//   - What is larger than a message may be lies in an object store under its hash.
//
// Nothing on the server is trusted. A worker computes the hash of a run again, from the
// inputs that came: a damaged message is terminated, and announced to all who sweep. A
// result carries the hash of its run, the engine and the hash of its bytes: a damaged one
// is deleted, and the run submitted again, a few times. One run in a hundred is repeated
// by another worker, and a difference stops the sweep.
//
// Subjects, consumer and buckets carry the version of the engine: workers of another
// version never get a run, and say so.
package queue
