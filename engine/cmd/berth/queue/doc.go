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
// Subjects, consumer and bucket carry the version of the engine: workers of another
// version never get a run, and say so.
package queue
