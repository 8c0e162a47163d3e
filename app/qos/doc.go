// Package qos is the view that simulates schedulers of requests with promised availability:
// workload, hosts and policies at the left, the run over time and the availability of requests
// in the middle, classes and policies side by side at the right, and below the explanation of
// each decision.
// The user edits [inputs]. Each seed of a policy runs in a worker of its own. [result] holds
// the results so far, drawn beside the pinned result; [View.arrive] updates it. Each other file
// draws one part of [View] or turns the user's actions there into edits.
package qos
