// Package ui holds the parts that every view of Berth is built from: panes,
// tabs, the drop zone, the editor, tables, dialogs, progress, icons, and the
// way numbers are written on screen.
//
// A part that keeps something of its own between two renderings (a pane's
// width, the text being typed) is a go-app component, used as a pointer:
//
//	&ui.Table{ID: "placement", Caption: "Placement", Columns: cols, Rows: rows}
//
// A part that keeps nothing is a function that returns elements, which the
// caller finishes with the usual chain: ui.Button("play", "Run").OnClick(v.run).
//
// Three habits of go-app shape what is here. It takes two handlers of the same
// function for equal even when they close over different values, so a handler
// made in a loop needs app.EventScope. It renders every ancestor of the
// component that an event went to, so handlers of fast events call
// ctx.PreventUpdate and write to the DOM themselves. And false attributes are
// written out when a page is rendered ahead of time, so Hidden, Disabled and
// their like are set only when they are true.
//
// The styles are in web/assets/berth.css.
package ui
