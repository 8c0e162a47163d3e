// Package qos is the view that simulates schedulers of requests with promised
// availability: workload, hosts and policies at the left, what happened over
// time and to whom in the middle, classes and policies side by side at the
// right, and below why a request got its host.
//
// What is edited is [inputs]. Each seed of a policy runs in a worker of its own;
// [result] holds what has come back from them so far, drawn beside the pinned result;
// [View.arrive] makes that anew where one of them has changed. Each of the other files
// draws one part of [View] or turns what the user does there into edits.
package qos
