// Package about is the page that explains how the placement of jobs is found,
// with the symbols of M. Lavacca, Scheduling Jobs on Federation of Kubernetes
// Clusters (MSc thesis, Politecnico di Torino, 2020), chapter 4.
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
