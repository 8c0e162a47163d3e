package about

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// The browser gets the page unchanged, as one element: an unclosed tag would swallow everything
// after it.
func TestPageIsOneWellFormedElement(t *testing.T) {
	d := xml.NewDecoder(strings.NewReader(app.HTMLString(New())))
	d.Entity = xml.HTMLEntity
	depth, roots := 0, 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token.(type) {
		case xml.StartElement:
			if depth == 0 {
				roots++
			}
			depth++
		case xml.EndElement:
			depth--
		}
	}
	if roots != 1 {
		t.Errorf("the page has %d roots, want 1", roots)
	}
}
