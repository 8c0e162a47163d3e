package policy

import (
	"errors"
	"strings"
	"testing"
)

func TestTextsAreChecked(t *testing.T) {
	for _, c := range []struct {
		text Text
		ok   bool
	}{
		{Text{Name: "mine", Text: "x = 1"}, true}, {Text{Name: "a-b_c.1", Text: "x"}, true}, {Text{Name: "qos.star", Text: "x"}, true},
		{Text{Name: "", Text: "x"}, false}, {Text{Name: "mine", Text: ""}, false}, {Text{Name: "a b", Text: "x"}, false}, {Text{Name: "-a", Text: "x"}, false}, {Text{Name: "ä", Text: "x"}, false},
		{Text{Name: strings.Repeat("a", MaxName+1), Text: "x"}, false}, {Text{Name: "mine", Text: strings.Repeat("x", MaxText+1)}, false},
	} {
		if err := c.text.Check(); (err == nil) != c.ok {
			t.Errorf("%q with %d bytes: %v", c.text.Name, len(c.text.Text), err)
		}
	}
}

func TestLanguageReadsATextOnce(t *testing.T) {
	var l Language[int]
	if _, err := l.Plugin(Text{Name: "a", Text: "x"}); !errors.Is(err, ErrNoLanguage) {
		t.Errorf("without a language: %v", err)
	}
	read := 0
	l.Register(func(t Text) (int, error) {
		read++
		if t.Text == "wrong" {
			return 0, errors.New("wrong")
		}
		return read, nil
	})
	for range 3 {
		if n, err := l.Plugin(Text{Name: "a", Text: "x"}); n != 1 || err != nil {
			t.Errorf("%d, %v", n, err)
		}
	}
	if _, err := l.Plugin(Text{Name: "a", Text: "wrong"}); err == nil || read != 2 {
		t.Errorf("%v after %d readings", err, read)
	}
}
