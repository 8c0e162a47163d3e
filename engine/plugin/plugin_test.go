package plugin_test

import (
	"slices"
	"testing"

	"berth/engine/plugin"
)

type sort struct {
	name, was string
	make      func()
}

// Key implements [plugin.Named].
func (s sort) Key() (name, was string, complete bool) { return s.name, s.was, s.make != nil }

func registry(first ...sort) *plugin.Registry[sort] {
	return plugin.NewRegistry("shop", "fruit", first...)
}

func TestRegistryKeepsItsOrderAndRefusesWhatItCannotTake(t *testing.T) {
	r := registry(sort{"pear", "pyrus", func() {}}, sort{"apple", "", func() {}})
	for _, test := range []struct {
		sort sort
		want string
	}{
		{sort{"fig", "", func() {}}, ""},
		{sort{"apple", "", func() {}}, `shop: fruit "apple" is registered already`},
		{sort{"pyrus", "", func() {}}, `shop: fruit "pyrus" is registered already`},
		{sort{"", "", func() {}}, "shop: fruit without a name"},
		{sort{"plum", "", nil}, `shop: fruit "plum" has nothing to make it`},
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
	if pear, ok := r.Lookup("pyrus"); !ok || pear.name != "pear" || r.Current("pyrus") != "pear" || r.Current("kiwi") != "kiwi" || r.Current("") != "" {
		t.Errorf("the former name leads to %v", pear.name)
	}
	if got := r.Unknown("kiwi").Error(); got != `unknown fruit "kiwi"; known: pear, apple, fig` {
		t.Error(got)
	}
	defer func() {
		if recover() == nil {
			t.Error("a duplicate in the first list is taken")
		}
	}()
	registry(sort{"pear", "pyrus", func() {}}, sort{"pear", "pyrus", func() {}})
}
