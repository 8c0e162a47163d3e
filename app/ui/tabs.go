package ui

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// A Tab is the tab of one panel.
type Tab struct {
	ID    string
	Title string
	Panel string          // id of the panel's element; "" if the panel has no element of its own
	Draw  func() []app.UI // content of the panel; nil if the caller draws it otherwise
}

// Tabs is a tab list after ARIA: one stop for the Tab key, and arrows, Home and End within. The
// caller shows the panel.
type Tabs struct {
	app.Compo

	ID       string
	Label    string
	Class    string
	Items    []Tab
	Selected string
	OnSelect func(ctx app.Context, id string)
}

// Render draws the list.
func (t *Tabs) Render() app.UI {
	tabs := make([]app.UI, len(t.Items))
	for i, item := range t.Items {
		tabs[i] = t.tab(item)
	}
	return app.Div().ID(t.ID).Class("tabs "+t.Class).Role("tablist").Aria("label", t.Label).
		OnKeyDown(t.press).
		Body(tabs...)
}

func (t *Tabs) tab(item Tab) app.UI {
	selected := item.ID == t.Selected
	index := -1
	if selected {
		index = 0
	}
	button := app.Button().Type("button").Class("tab").Role("tab").
		ID(t.tabID(item.ID)).TabIndex(index).Aria("selected", selected).
		OnClick(func(ctx app.Context, _ app.Event) { t.OnSelect(ctx, item.ID) }, app.EventScope(item.ID)).
		Text(item.Title)
	if item.Panel != "" {
		button.Aria("controls", item.Panel)
	}
	return button
}

func (t *Tabs) tabID(id string) string { return t.ID + "-" + id }

func (t *Tabs) press(ctx app.Context, e app.Event) {
	next, ok := neighbour(e.Get("key").String(), t.index(), len(t.Items))
	if !ok {
		return
	}
	e.PreventDefault()
	id := t.Items[next].ID
	t.OnSelect(ctx, id)
	Focus(ctx, t.tabID(id))
}

func (t *Tabs) index() int {
	for i, item := range t.Items {
		if item.ID == t.Selected {
			return i
		}
	}
	return 0
}

// neighbour returns the item that a key leads to from item i of n, in a list that wraps around.
func neighbour(key string, i, n int) (next int, ok bool) {
	if n == 0 {
		return 0, false
	}
	switch key {
	case "ArrowRight", "ArrowDown":
		return (i + 1) % n, true
	case "ArrowLeft", "ArrowUp":
		return (i + n - 1) % n, true
	case "Home":
		return 0, true
	case "End":
		return n - 1, true
	}
	return 0, false
}
