// Package qos is the view that simulates schedulers of requests with promised availability.
// Workload, hosts and policies are on the left, the run over time and the availability of requests
// in the middle, and the comparison of classes and policies on the right; the explanation of each
// decision is below.
//
// The user edits [inputs]. Each seed of a policy runs in its own worker. [result] holds the results
// so far, drawn in front of the pinned result; [View.arrive] updates it. Every other file draws one
// part of [View] or turns the user's actions into edits.
package qos
