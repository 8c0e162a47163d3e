package show_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"berth/engine/must"
	"berth/engine/show"
)

func TestText(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"web server, größer 漢字 👩‍🚀 −5 °C", "web server, größer 漢字 👩‍🚀 −5 °C"},
		{"\x1b]0;owned\x07", `\x1b]0;owned\a`},
		{"a\nb\tc\rd\x00e\x7f", `a\nb\tc\rd\x00e\x7f`},
		{"\u009b2J", `\u009b2J`}, // CSI as one character
		{"user\u202egnp.exe", `user\u202egnp.exe`},
		{"\u2066x\u2069\u200f", `\u2066x\u2069\u200f`},
		{"a\u2028b\u2029c", `a\u2028b\u2029c`},
		{"a\x9b2Jb\xff", `a\x9b2Jb\xff`}, // not UTF-8
		{"\ufffd", "\ufffd"},             // is already a replacement
		{strings.Repeat("é", show.Most), strings.Repeat("é", show.Most)},
		{strings.Repeat("é", show.Most) + "x", strings.Repeat("é", show.Most) + "…"},
		{strings.Repeat("\x1b", 1<<20), strings.Repeat(`\x1b`, show.Most) + "…"},
	} {
		if got := show.Text(test.text); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		"a b":                    `"a b"`,
		`"`:                      `"\""`,
		"\x1b[31m\u202e\u0085é":  `"\x1b[31m\u202e\u0085é"`,
		strings.Repeat("é", 100): `"` + strings.Repeat("é", 60) + `…"`,
	} {
		if got := show.Quote(text); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestLines(t *testing.T) {
	text := "a.csv:1: one\nb\x1b[2J.csv:2: " + strings.Repeat("x", 2*show.Most) + "\r\n"
	want := "a.csv:1: one\nb\\x1b[2J.csv:2: " + strings.Repeat("x", 2*show.Most) + "\\r\n"
	if got := show.Lines(text); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWords(t *testing.T) {
	long := strings.Repeat("é", show.Most+1)
	for text, want := range map[string]string{
		"":                                "",
		"job a is\nunknown":               "job a is\nunknown",
		"job \x1b[2J is unknown\r\n":      `job \x1b[2J is unknown\r` + "\n",
		"job " + long + " is\nno " + long: "job " + show.Text(long) + " is\nno " + show.Text(long),
	} {
		if got := show.Words(text); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestSteersIsWhatUnicodeSays(t *testing.T) {
	for r := range rune(unicode.MaxRune) {
		if !utf8.ValidRune(r) {
			continue
		}
		want := unicode.In(r, unicode.Cc, unicode.Bidi_Control, unicode.Zl, unicode.Zp)
		if got := show.Text(string(r)) != string(r); got != want {
			t.Errorf("%U is escaped: %t", r, got)
		}
	}
}

func TestJSON(t *testing.T) {
	want := "a\n\x7f\u009b\u202e\u2066é"
	text := must.Get(json.MarshalIndent(map[string]string{want: "x"}, "", "\t"))(t)
	shown := show.JSON(text)
	if show.Lines(string(shown)) != strings.ReplaceAll(string(shown), "\t", `\t`) {
		t.Errorf("%q is not fit to be shown", shown)
	}
	var got map[string]string
	if err := json.Unmarshal(shown, &got); err != nil || got[want] != "x" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestCut(t *testing.T) {
	for text, want := range map[string]string{"": "", "éàü": "éàü", "éàüö": "éàü…", "abc": "abc", "abcd": "abc…"} {
		if got := show.Cut(text, 3); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// Texts without anything to escape cost nothing, because the page writes thousands of them.
func TestWordsOfPlainTextCostNothing(t *testing.T) {
	text := "größer als 12\u202f300 µs – a line\nand " + strings.Repeat("x", show.Most)
	if n := testing.AllocsPerRun(10, func() { show.Words(text) }); n > 0 || show.Words(text) != text {
		t.Errorf("%v allocations, and it is %q", n, show.Words(text))
	}
	if got := show.Words(text + "x"); !strings.HasSuffix(got, "x…") {
		t.Errorf("a long word is %q", got)
	}
}
