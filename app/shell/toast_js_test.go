package shell

import (
	"syscall/js"
	"testing"
)

// An announcement is in a new element until its time is over, because screen readers read what is
// added to the region, even if it repeats the last one.
func TestAnnouncements(t *testing.T) {
	run := func(script string) string { return js.Global().Get("Function").New(script).Invoke().String() }
	run(`
		document.body.insertAdjacentHTML("beforeend", "<div class=toasts></div>");
		globalThis.ends = {};
		globalThis.formerTimeout = setTimeout;
		globalThis.announce = (text) => {
			globalThis.setTimeout = (end) => { ends[text] = end; };
			berth.announce(text);
			globalThis.setTimeout = formerTimeout;
			return document.querySelector(".toasts").lastChild;
		};
		globalThis.first = announce("a");`)
	for _, step := range []struct{ script, want string }{
		{`announce("b")`, "a|b"},
		{`globalThis.again = announce("a")`, "b|a"},
		{`announce("<c>")`, "b|a|<c>"},
		{`ends["b"]()`, "a|<c>"},
		{`ends["a"]()`, "<c>"},
	} {
		if got := run(step.script + `; return [...document.querySelectorAll(".toasts > .toast")].map((e) => e.textContent).join("|")`); got != step.want {
			t.Errorf("after %s: %q, want %q", step.script, got, step.want)
		}
	}
	if run(`return String(first === again)`) != "false" {
		t.Error("what is repeated is in the same element")
	}
}
