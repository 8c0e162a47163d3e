// Package placement is the view that places deployments on a federation. The inputs are on the
// left, the drawn result in the middle and the comparison of strategies on the right; the
// explanation of each job's cluster is below. For a cluster in kubectl's output, the view shows the
// nodes with their pods and asks the scheduler about them.
//
// The user edits [inputs]. [View] is the go-app component around them, built on package lab. Every
// other file draws one part of it and turns the user's actions into edits. Drawings and tables
// depend on the result and the pinned result; [View.arrive] recreates them when one of these
// changes.
package placement
