package about

import (
	_ "embed"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

//go:embed about.html
var text string

// Page is the page.
type Page struct{ app.Compo }

// New makes the page.
func New() app.Composer { return &Page{} }

// Render draws the page.
func (p *Page) Render() app.UI { return app.Raw(text) }
