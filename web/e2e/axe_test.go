package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"berth/engine/must"
)

// axe is the source of axe-core, which runs in the inspected page.
var axe = sync.OnceValues(func() (string, error) {
	source, err := os.ReadFile(filepath.Join(repository, "web/node_modules/axe-core/axe.min.js"))
	return string(source), err
})

// violations runs axe-core on the page in its current state, with all rules. In the dark it checks
// only colours: the same page was inspected in the light, and TestThemesDifferInColoursAlone of
// package build checks that nothing else differs.
const violations = `axe.run(document, {
	resultTypes: ["violations"],
	...matchMedia("(prefers-color-scheme: dark)").matches && { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } },
}).then(({ violations }) =>
	violations.flatMap(({ id, nodes }) => nodes.map((n) => id + ": " + n.target.join(" ") + " " + n.html.slice(0, 200) + " " + n.failureSummary)))`

// inspected reports what axe-core finds in the page's current state.
func (p *tab) inspected(what string) {
	p.t.Helper()
	source := must.Get(axe())(p.t)
	if !eval[bool](p, "typeof axe == 'object'") {
		eval[any](p, source+";0")
	}
	p.waitFor(still) // the theme's colours are in place
	for _, v := range eval[[]string](p, violations) {
		p.t.Errorf("%s: %s", what, v)
	}
}

// axe-core finds a planted fault. Otherwise finding none would mean nothing.
func TestAxeNoticesFaults(t *testing.T) {
	source := must.Get(axe())(t)
	for _, test := range []struct {
		theme       option
		fault, rule string
	}{
		{light, `<button></button>`, "button-name: "},
		{dark, `<p><font color="#bbb">faint</font></p>`, "color-contrast: "},
	} {
		p := openAt(t, servePage(t, `<title>x</title><main><h1>x</h1>`+test.fault+`</main>`), "/", test.theme)
		eval[any](p, source+";0")
		found := eval[[]string](p, violations)
		if !slices.ContainsFunc(found, func(v string) bool { return strings.HasPrefix(v, test.rule) }) {
			t.Errorf("axe-core finds nothing wrong with %s: %q", test.fault, found)
		}
	}
}
