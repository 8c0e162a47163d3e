package ui

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// A Tab is the tab of a panel in [Tabs].
type Tab struct {
	ID    string
	Title string
	Panel string          // id of the panel's element; "" if the panel has no element of its own
	Draw  func() []app.UI // content of the panel; nil if the caller draws it otherwise
}

// Tabs is a tab list as ARIA defines it. The list is a single stop of the Tab key. Arrow keys, Home
// and End move within it (controls.js). The caller shows the panel.
type Tabs struct {
	app.Compo

	ID       string
	Label    string
	Class    string
	Items    []Tab
	Selected string
	OnSelect func(ctx app.Context, id string)
}

// Render draws the list of tabs.
func (t *Tabs) Render() app.UI {
	tabs := make([]app.UI, len(t.Items))
	for i, item := range t.Items {
		tabs[i] = t.tab(item)
	}
	return app.Div().ID(t.ID).Class("tabs "+t.Class).Role("tablist").Aria("label", t.Label).Body(tabs...)
}

func (t *Tabs) tab(item Tab) app.UI {
	selected := item.ID == t.Selected
	index := -1
	if selected {
		index = 0
	}
	button := app.Button().Type("button").Class("tab").Role("tab").
		ID(t.ID+"-"+item.ID).TabIndex(index).Aria("selected", selected).
		OnClick(func(ctx app.Context, _ app.Event) { t.OnSelect(ctx, item.ID) }, app.EventScope(item.ID)).
		Text(item.Title)
	if item.Panel != "" {
		button.Aria("controls", item.Panel)
	}
	return button
}
