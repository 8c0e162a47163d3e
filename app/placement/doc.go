// Package placement is the view that places deployments on a federation:
// inputs at the left, the drawn result in the middle, strategies side by side
// at the right, and below why each job went where it went.
//
// What is edited is [inputs], a value; [state] holds it with its undo history
// and the result, and is nothing but transitions. [View] is the go-app
// component around it: each of the other files draws one part of it and turns
// what the user does there into transitions. All computing happens in workers;
// what they answer comes back through [View.later], on the page's goroutine.
package placement
