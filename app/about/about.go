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

// Page is the page: an article for each system, with links to them at the top.
type Page struct{ app.Compo }

// New makes the page.
func New() *Page { return &Page{} }

// Render draws the page.
func (p *Page) Render() app.UI {
	return app.Div().Body(
		app.Div().Class("page contents").Body(
			app.H1().Text("How it works"),
			// The ids are unlike those of the views, which stay in the document.
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
