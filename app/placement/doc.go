// Package placement is the view that places deployments on a federation: inputs at the left,
// the drawn result in the middle, strategies side by side at the right, and below the
// explanation of each job's cluster. Of what kubectl prints about a cluster it shows the nodes with
// their pods, and asks the scheduler about them.
// The user edits [inputs]. [View] is the go-app component around them, built on package lab:
// each other file draws one part of it and turns the user's actions there into edits. The
// drawings and tables follow from the result and the pinned result; [View.arrive] makes them
// anew when one of these has changed.
package placement
