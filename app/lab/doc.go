// Package lab is the part that the views of all three systems share: the work of a
// visit with its undo history, running, drafts, saving, sharing, opening and export,
// and the controls for them.
//
// A view edits a value of its own type, the [Inputs]. [State] holds it and consists of
// transitions only. [Lab] is the page around the state: a view embeds a Lab, describes
// its differences in a [System], and draws its panes. All computing happens in workers.
// Their answers arrive on the page's goroutine through [Lab.Later], or through [Ask] if
// a later question invalidates an earlier one.
//
// A view describes the screen to the Lab as a value, the [Screen]. The Lab notifies the
// view through one function, Shown of [Runs]. While a view draws, it asks for data
// beyond the report ([Know], [Once]); the Lab keeps the answers while the result stays
// on screen. The Lab keeps the errors of the inputs, by source and by control; a view
// only maps an error to the control that corrects it ([Checks]).
package lab
