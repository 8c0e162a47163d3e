package about

import (
	_ "embed"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// The articles, each one element of HTML.
var (
	//go:embed placement.html
	Placement string
	//go:embed qos.html
	QoS string
	//go:embed federate.html
	Federate string
)

// Page shows an article for each system, with links to the articles at the top.
type Page struct{ app.Compo }

// New returns the page.
func New() *Page { return &Page{} }

// Render draws the links and the articles.
func (p *Page) Render() app.UI {
	return app.Div().Body(
		app.Div().Class("page contents").Body(
			app.H1().Text("How it works"),
			// The ids must differ from the ids in the views, which stay in the
			// document.
			app.Nav().Aria("label", "On this page").Body(
				app.A().Href("#about-placement").Text("Placement"),
				app.A().Href("#about-qos").Text("QoS"),
				app.A().Href("#about-federate").Text("Federate"),
			),
		),
		app.Raw(Placement),
		app.Raw(QoS),
		app.Raw(Federate),
	)
}
