package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// axe is the source of axe-core, which runs in the inspected page.
var axe = sync.OnceValues(func() (string, error) {
	source, err := os.ReadFile(filepath.Join(repository, "web/node_modules/axe-core/axe.min.js"))
	return string(source), err
})

// violations runs axe-core on the page in its current state, with all rules. In the
// dark it checks only colours, because the same page was inspected in the light.
const violations = `axe.run(document, {
	resultTypes: ["violations"],
	...matchMedia("(prefers-color-scheme: dark)").matches && { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } },
}).then(({ violations }) =>
	violations.flatMap(({ id, nodes }) => nodes.map((n) => id + ": " + n.target.join(" ") + " " + n.html.slice(0, 200) + " " + n.failureSummary)))`

// inspected reports what axe-core finds in the page's current state.
func (p *tab) inspected(what string) {
	p.t.Helper()
	source, err := axe()
	if err != nil {
		p.t.Fatal(err)
	}
	if !eval[bool](p, "typeof axe == 'object'") {
		eval[any](p, source+";0")
	}
	p.waitFor(still) // the colours of the theme are in place
	for _, v := range eval[[]string](p, violations) {
		p.t.Errorf("%s: %s", what, v)
	}
}

// axe-core finds a planted fault: otherwise finding none would mean nothing.
func TestAxeNoticesFaults(t *testing.T) {
	p := openAt(t, servePage(t, `<title>x</title><main><h1>x</h1><button></button></main>`), "/")
	source, err := axe()
	if err != nil {
		t.Fatal(err)
	}
	eval[any](p, source+";0")
	found, _ := json.Marshal(eval[[]string](p, violations))
	if string(found) == "null" || string(found) == "[]" {
		t.Error("axe-core finds nothing wrong with a button without a name")
	}
}
