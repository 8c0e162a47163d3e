// Package ui holds the parts of every view: panes, tabs, the drop zone, the editor, tables,
// dialogs, progress, icons, and the format of numbers on screen.
//
// A part with state between two renderings (the order of a table, the text being typed) is a go-app
// component, used as a pointer:
//
//	&ui.Table{ID: "placement", Caption: "Placement", Columns: cols, Rows: rows}
//
// A part without state is a function that returns elements; the caller adds handlers with the usual
// chain: ui.Button("play", "Run").OnClick(v.run).
//
// Three properties of go-app shape this package. It considers two handlers of the same function
// equal even if they close over different values, so a handler made in a loop needs app.EventScope.
// It renders every ancestor of the component that received an event, so handlers of frequent events
// call ctx.PreventUpdate and write to the DOM themselves. And it writes out false attributes when it
// pre-renders a page, so Hidden, Disabled and the like are set only if they are true.
//
// What a part does without the page (panes that are resized, tabs that keys choose, dialogs and
// menus that open and close) is in web/assets/controls.js, the styles are in berth.css.
package ui
