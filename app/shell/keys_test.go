package shell

import (
	"slices"
	"strings"
	"testing"
)

func TestStroke(t *testing.T) {
	for _, c := range []struct {
		key              string
		ctrl, alt, shift bool
		want             string
	}{
		{"g", false, false, false, "g"},
		{"G", false, false, true, "g"},
		{"?", false, false, true, "?"},
		{"K", true, false, false, "Ctrl+k"}, // Caps Lock
		{"Z", true, false, true, "Ctrl+Shift+z"},
		{"Enter", true, false, false, "Ctrl+Enter"},
		{"Escape", false, false, false, "Escape"},
		{"Control", true, false, false, ""},
		{"Shift", false, false, false, ""},
		{"a", false, true, false, ""},
	} {
		if got := stroke(c.key, c.ctrl, c.alt, c.shift); got != c.want {
			t.Errorf("stroke(%q, %v, %v, %v) = %q, want %q", c.key, c.ctrl, c.alt, c.shift, got, c.want)
		}
	}
}

func TestOnlyCtrlWorksWhileTyping(t *testing.T) {
	if works("r", inField) || works("r", inEditor) || !works("r", nowhere) || !works("Ctrl+Enter", inField) {
		t.Error("a letter ran a command while typing, or Ctrl did not")
	}
}

func TestFieldsUndoByThemselves(t *testing.T) {
	for _, keys := range []string{"Ctrl+z", "Ctrl+y", "Ctrl+Shift+z"} {
		if works(keys, inField) || !works(keys, inEditor) || !works(keys, nowhere) {
			t.Errorf("%s works in fields, or neither in the editor nor elsewhere", keys)
		}
	}
}

func TestMatch(t *testing.T) {
	commands := []Command{
		{ID: "run", Keys: []string{"r", "Ctrl+Enter"}},
		{ID: "placement", Keys: []string{"g p"}},
		{ID: "library", Keys: []string{"g l"}},
		{ID: "silent"},
	}
	for _, c := range []struct{ pending, stroke, id, rest string }{
		{"", "r", "run", ""},
		{"", "Ctrl+Enter", "run", ""},
		{"", "g", "", "g"},
		{"g", "p", "placement", ""},
		{"g", "l", "library", ""},
		{"g", "r", "run", ""}, // r does not continue a sequence, so it begins a new one
		{"g", "g", "", "g"},
		{"", "x", "", ""},
	} {
		found, rest := match(commands, c.pending, c.stroke)
		id := ""
		if found != nil {
			id = found.ID
		}
		if id != c.id || rest != c.rest {
			t.Errorf("match(%q, %q) = %q, %q; want %q, %q", c.pending, c.stroke, id, rest, c.id, c.rest)
		}
	}
}

func TestTheViewsOwnKeysComeFirst(t *testing.T) {
	commands := []Command{{ID: "search", Keys: []string{"/"}}, {ID: "palette", Keys: []string{"/"}}}
	if found, _ := match(commands, "", "/"); found == nil || found.ID != "search" {
		t.Errorf("/ ran %v, want search", found)
	}
}

func TestFuzzy(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		fits          bool
	}{
		{"", "Run", true},
		{"run", "Run", true},
		{"gl", "Go to Library", true},
		{"go lib", "Go to Library", true},
		{"lg", "Go to Library", false},
		{"é", "Go to Library", false},
		{"largest", "Go to Library", false},
	} {
		if got := fuzzy(c.pattern, c.name) >= 0; got != c.fits {
			t.Errorf("fuzzy(%q, %q) fits: %v, want %v", c.pattern, c.name, got, c.fits)
		}
	}
	if fuzzy("gl", "Go to Library") <= fuzzy("gl", "Angle") {
		t.Error("letters that begin words should count more than letters inside one")
	}
}

func TestFilterPutsTheBestFirst(t *testing.T) {
	found := filter([]Command{{Name: "Run"}, {Name: "Rehash"}, {Name: "Share"}}, "sh")
	if len(found) != 2 || found[0].Name != "Share" || found[1].Name != "Rehash" {
		t.Errorf("filter gave %v, want Share and Rehash", found)
	}
}

func TestNextThemeChangesWhatIsSeenFirst(t *testing.T) {
	for _, c := range []struct {
		now  string
		dark bool
		want string
	}{
		{themeSystem, false, themeDark},
		{themeDark, false, themeLight},
		{themeLight, false, themeSystem},
		{themeSystem, true, themeLight},
		{themeLight, true, themeDark},
		{themeDark, true, themeSystem},
	} {
		if got := nextTheme(c.now, c.dark); got != c.want {
			t.Errorf("nextTheme(%q, %v) = %q, want %q", c.now, c.dark, got, c.want)
		}
	}
}

// The palette finds things by whole words, and lists them after matching commands.
func TestThingsAreFoundByWords(t *testing.T) {
	commands := []Command{
		{ID: "clear", Name: "Clear all inputs"}, {ID: "shop", Name: "Example: An online shop on six clusters", Thing: true},
		{ID: "save", Name: "Save to the library"}, {ID: "job", Name: "Job clear-all on Dublin", Thing: true},
	}
	for pattern, want := range map[string]string{
		"": "clear save", "clear": "clear job", "shop": "shop", "six ONLINE": "shop", "on six": "shop", "clstr": "", "sv": "save",
	} {
		var got []string
		for _, c := range filter(commands, pattern) {
			got = append(got, c.ID)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q finds %v, want %s", pattern, got, want)
		}
	}
	many := slices.Repeat(commands[3:], 10_000)
	if got := len(filter(many, "job")); got != most {
		t.Errorf("%d of 10,000 jobs are listed, want %d", got, most)
	}
}
