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
		{Text{"mine", "x = 1"}, true}, {Text{"a-b_c.1", "x"}, true}, {Text{"qos.star", "x"}, true},
		{Text{"", "x"}, false}, {Text{"mine", ""}, false}, {Text{"a b", "x"}, false}, {Text{"-a", "x"}, false}, {Text{"ä", "x"}, false},
		{Text{strings.Repeat("a", MaxName+1), "x"}, false}, {Text{"mine", strings.Repeat("x", MaxText+1)}, false},
	} {
		if err := c.text.Check(); (err == nil) != c.ok {
			t.Errorf("%q with %d bytes: %v", c.text.Name, len(c.text.Text), err)
		}
	}
}

func TestLanguageReadsATextOnce(t *testing.T) {
	var l Language[int]
	if _, err := l.Plugin(Text{"a", "x"}); !errors.Is(err, ErrNoLanguage) {
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
		if n, err := l.Plugin(Text{"a", "x"}); n != 1 || err != nil {
			t.Errorf("%d, %v", n, err)
		}
	}
	if _, err := l.Plugin(Text{"a", "wrong"}); err == nil || read != 2 {
		t.Errorf("%v after %d readings", err, read)
	}
}
