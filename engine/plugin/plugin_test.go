package plugin_test

import (
	"maps"
	"slices"
	"testing"

	"berth/engine/plugin"
)

type sort struct {
	name string
	make func()
}

func registry(first ...sort) *plugin.Registry[sort] {
	return plugin.NewRegistry("shop: fruit", func(s *sort) (string, bool) { return s.name, s.make != nil }, first...)
}

func TestRegistryKeepsItsOrderAndRefusesWhatItCannotTake(t *testing.T) {
	r := registry(sort{"pear", func() {}}, sort{"apple", func() {}})
	for _, test := range []struct {
		sort sort
		want string
	}{
		{sort{"fig", func() {}}, ""},
		{sort{"apple", func() {}}, `shop: fruit "apple" is registered already`},
		{sort{"", func() {}}, "shop: fruit without a name"},
		{sort{"plum", nil}, `shop: fruit "plum" has nothing to make it`},
	} {
		got := ""
		if err := r.Add(test.sort); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%q: got %q, want %q", test.sort.name, got, test.want)
		}
	}
	if got, want := r.Names(), []string{"pear", "apple", "fig"}; !slices.Equal(got, want) || r.Position("fig") != 2 || r.Position("plum") != -1 {
		t.Errorf("there are %q, want %q", got, want)
	}
	if got := r.Unknown("kiwi").Error(); got != `unknown fruit "kiwi"; known: pear, apple, fig` {
		t.Error(got)
	}
	defer func() {
		if recover() == nil {
			t.Error("a duplicate in the first list is taken")
		}
	}()
	registry(sort{"pear", func() {}}, sort{"pear", func() {}})
}

func TestCompleteFillsInDefaultsAndChecks(t *testing.T) {
	rows := []plugin.Parameter{{Name: "size", Low: 1, High: 1e9, Whole: true, Default: 5}, {Name: "share", Low: 0, High: 1, Unit: "s", Default: 0.5}}
	for _, test := range []struct {
		given, want plugin.Values
		err         string
	}{
		{nil, plugin.Values{"size": 5, "share": 0.5}, ""},
		{plugin.Values{"share": 0.25}, plugin.Values{"size": 5, "share": 0.25}, ""},
		{plugin.Values{"size": 1.5}, nil, "size: found 1.5, expected a whole number from 1 to 1e9"},
		{plugin.Values{"share": 2}, nil, "share: found 2, expected a number from 0 to 1 s"},
		{plugin.Values{"colour": 2}, nil, `there is no parameter "colour"`},
	} {
		got, err := plugin.Complete(rows, test.given)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if !maps.Equal(got, test.want) || text != test.err {
			t.Errorf("%v: got %v and %q, want %v and %q", test.given, got, text, test.want, test.err)
		}
	}
}
