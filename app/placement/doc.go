// Package placement is the view that places deployments on a federation:
// inputs at the left, the drawn result in the middle, strategies side by side
// at the right, and below why each job went where it went.
//
// What is edited is [inputs]. [View] is the go-app component around it,
// built on package lab: each of the other files draws one part of it and turns
// what the user does there into changes of the inputs. What is drawn of a result follows
// from it and from the pinned one; [View.arrive] makes it anew where one of them has changed.
package placement
