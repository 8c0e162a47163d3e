package diag

import (
	"strings"
	"testing"
)

func TestNamesAreShownPlainly(t *testing.T) {
	long := strings.Repeat("é", 200)
	for _, c := range []struct{ text, name, words string }{
		{"catalogue 7", "catalogue 7", "catalogue 7"},
		{"\x1b[31mred\x00", `\x1b[31mred\x00`, `\x1b[31mred\x00`},
		{"one\ntwo\t", `one\ntwo\t`, "one\ntwo" + `\t`},
		{"abc\u202ecba\u200b\u0085", `abc\u202ecba\u200b\u0085`, `abc\u202ecba\u200b\u0085`},
		{"2\u2009315 · naïve", "2\u2009315 · naïve", "2\u2009315 · naïve"},
		{long, long, long},
		{long + "é", long[:2*199] + "…", long[:2*199] + "…"},
		{"job " + long + long + " is unknown", "job " + long[:2*195] + "…", "job " + long[:2*199] + "… is unknown"},
	} {
		if got := Name(c.text); got != c.name {
			t.Errorf("the name %q is shown as %q, want %q", c.text, got, c.name)
		}
		if got := Words(c.text); got != c.words {
			t.Errorf("the words %q are shown as %q, want %q", c.text, got, c.words)
		}
	}
}
