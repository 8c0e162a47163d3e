package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// axe is the source of axe-core, which runs in the page that it looks at.
var axe = sync.OnceValues(func() (string, error) {
	source, err := os.ReadFile(filepath.Join(repository, "web/node_modules/axe-core/axe.min.js"))
	return string(source), err
})

// violations has axe-core look at the page as it is, with all its rules. What is looked
// at in the dark was looked at in the light: nothing but colours differs.
const violations = `axe.run(document, {
	resultTypes: ["violations"],
	...matchMedia("(prefers-color-scheme: dark)").matches && { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } },
}).then(({ violations }) =>
	violations.flatMap(({ id, nodes }) => nodes.map((n) => id + ": " + n.target.join(" ") + " " + n.html.slice(0, 200) + " " + n.failureSummary)))`

// inspected reports what axe-core finds wrong with the page as it is.
func (p *tab) inspected(what string) {
	p.t.Helper()
	source, err := axe()
	if err != nil {
		p.t.Fatal(err)
	}
	if !eval[bool](p, "typeof axe == 'object'") {
		eval[any](p, source+";0")
	}
	p.waitFor(still) // the colours have followed the theme
	for _, v := range eval[[]string](p, violations) {
		p.t.Errorf("%s: %s", what, v)
	}
}

// A fault is found, so that finding none says something.
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
