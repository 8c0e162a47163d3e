package build

import (
	"strings"
	"testing"

	"berth/engine/must"
	"berth/wasm/first"
)

// repair turns go-app's HTML into the elements that it creates in a browser.
func TestRepair(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"lines", "<div>\n  <p>one</p>\n  <br>\n</div>", "<div><p>one</p><br></div>"},
		{"texts", "<p>\n  one \n   two\n\n  <b>three</b>\n</p>", "<p>one  two<b>three</b></p>"},
		{"a text of two lines", "<p>one\ntwo</p>", "<p>one\ntwo</p>"},
		{"markup that is not go-app's", "<p>\n<b>one</b>\n<i>two</i></p>", "<p>\n<b>one</b>\n<i>two</i></p>"},
		{"strings", `<p title="a \"b\"\u202f<c>">x</p>`, `<p title="a &#34;b&#34;` + "\u202f" + `&lt;c&gt;">x</p>`},
		{"yes", `<p hidden aria-busy>x</p>`, `<p aria-busy="true" hidden="">x</p>`},
		{"no", `<p hidden="false" aria-busy="false">x</p>`, `<p aria-busy="false">x</p>`},
		{"a field", `<input data-control data-value="3" type="number">`, `<input data-control="true" data-value="3" type="number" value="3">`},
		{"a box", `<input type="checkbox" data-control data-value>`, `<input checked="" data-control="true" data-value="true" type="checkbox">`},
		{"a list", `<select data-control data-value="b"><option value="a">A</option><option value="b">B</option></select>`,
			`<select data-control="true" data-value="b"><option value="a">A</option><option selected="" value="b">B</option></select>`},
		{"a text field", `<textarea data-control data-value="a<b"></textarea>`, `<textarea data-control="true" data-value="a<b">a&lt;b</textarea>`},
	} {
		if got, err := repair(c.text); err != nil || got != c.want {
			t.Errorf("%s: %v, %q; want %q", c.name, err, got, c.want)
		}
	}
	for _, text := range []string{"text", "<p>x", "x</p>", `<p title="a"b">x</p>`, "<p>a < b</p>"} {
		if got, err := repair(text); err == nil {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// Each laboratory's page contains the result of its example.
func TestFirstScreens(t *testing.T) {
	screens := must.Get(firstScreens())(t)
	for path, want := range map[string]string{
		"/": "Best possible: 2\u202f653.1 (proved)", "/placement": `class="node`, "/qos": "160 of 256 requests met their SLO", "/federate": "status-message status-done",
		"/library": "Nothing is saved yet", "/gallery": "Gallery", "/about": "How it works",
	} {
		if !strings.Contains(screens[path].html, want) {
			t.Errorf("%s does not show %q", path, want)
		}
	}
	for _, path := range []string{"/", "/qos", "/federate"} {
		record, err := first.Read([]byte(screens[path].answers))
		if err != nil || len(record.Answers) == 0 {
			t.Errorf("%s has %d answers (%v)", path, len(record.Answers), err)
		}
	}
	if again, err := openFirst("/qos"); err != nil || again != screens["/qos"] {
		t.Errorf("another time the page shows another first screen (%v)", err)
	}
}
