// Package lab is what the views of all three systems share: the work of a visit
// with its undo history, when it runs, how it is kept, saved, shared, opened
// and taken away as a file, and the controls for that.
//
// What a view edits is a value of its own type, the [Inputs]. [State] holds it
// and is nothing but transitions. [Lab] is the part of the page around it: a
// view embeds one, says in a [System] what is different about it, and draws
// its panes. All computing happens in workers; what they answer comes back
// through [Lab.Later], on the page's goroutine, and through [Ask] where a later
// question makes an earlier one void.
//
// A view tells the laboratory what is on screen as a value, the [Screen]. The other way
// round, the laboratory has one way to say that something of that has changed: it calls
// Shown of [Runs], with whether the results are others than the last time. What is
// wrong with inputs the laboratory keeps, by source and by control; a view only says which
// control mends what ([Checks]).
package lab
