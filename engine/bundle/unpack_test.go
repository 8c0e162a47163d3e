package bundle_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"berth/engine/bundle"
	packedfile "berth/engine/input/packed"
	"berth/engine/must"
	"berth/engine/scenario"
)

// A bundle unpacks to its scenario and its manifest, any other zip to its files, without the files
// that systems add.
func TestUnpack(t *testing.T) {
	u, err := bundle.Unpack(packed(t, masters()))
	if err != nil || u.Manifest == nil || u.Damage != nil || u.Manifest.Scenario != masters().Hash() {
		t.Fatalf("%+v, %v", u, err)
	}
	if s, err := scenario.Decode(u.Files()[0]); err != nil || s.Hash() != masters().Hash() {
		t.Errorf("the scenario is %v, %v", s.Name, err)
	}
	u, err = bundle.Unpack(zipped(t, file{"shop/", ""}, file{"shop/a.dot", "graph {}"}, file{"__MACOSX/a.dot", "x"}, file{"shop/.DS_Store", "x"}, file{"b.yaml", "kind: Node\n"}))
	if err != nil || u.Manifest != nil || !slices.Equal(u.Names, []string{"shop/a.dot", "b.yaml"}) || string(u.Files()[1]) != "kind: Node\n" {
		t.Errorf("%+v, %v", u, err)
	}
	back := &bundle.Unpacked{Names: u.Names, Sizes: u.Sizes}
	if err := back.Attach(u.Attachment()); err != nil || string(back.Files()[0]) != "graph {}" {
		t.Errorf("after its way it is %+v, %v", back, err)
	}
}

// A file in another packed format has one entry, and the page gives its name.
func TestUnpackOne(t *testing.T) {
	encoder := must.Get(zstd.NewWriter(nil))(t)
	const text = "0 1 5 5\n"
	data := encoder.EncodeAll([]byte(text), nil)
	u, err := bundle.Unpack(data)
	if err != nil || !packedfile.Addable(data) || u.Manifest != nil || !slices.Equal(u.Names, []string{""}) || string(u.Files()[0]) != text {
		t.Errorf("%+v, %v", u, err)
	}
	if _, err := bundle.Unpack(data[:len(data)-3]); err == nil {
		t.Error("a file that is cut off is taken apart")
	}
	if packedfile.Addable([]byte("BZh, a text")) || !packedfile.Addable([]byte("BZh91AY&SY")) {
		t.Error("bzip2 is not told by its beginning")
	}
}

// A bundle whose scenario differs from its manifest says so.
func TestUnpackTellsOfDamage(t *testing.T) {
	all := files(t, packed(t, masters()))
	for i := range all {
		if all[i].name == bundle.ScenarioName {
			all[i].text = strings.Replace(all[i].text, "two masters", "one master", 1)
		}
	}
	u, err := bundle.Unpack(zipped(t, all...))
	if err != nil || len(u.Damage) != 1 || !strings.Contains(u.Damage[0], "SHA-256 of scenario.json") {
		t.Errorf("%+v, %v", u, err)
	}
	many := make([]file, bundle.MaxFiles+1)
	for i := range many {
		many[i].name = strings.Repeat("a", i+1)
	}
	for what, data := range map[string][]byte{"no files": zipped(t), "damaged": []byte("PK\x03\x04"), "more than 500 files": zipped(t, many...)} {
		if _, err := bundle.Unpack(data); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, sizes := range [][]int{{-1}, {5}, {1}, {1, 1, 1}} {
		if err := (&bundle.Unpacked{Names: []string{"a"}, Sizes: sizes}).Attach([]byte("ab")); err == nil {
			t.Errorf("sizes %v are taken for 2 bytes", sizes)
		}
	}
}

// Any zip is unpacked or refused.
func FuzzUnpack(f *testing.F) {
	f.Add(packed(f, masters()))
	f.Add(zipped(f, file{"a", "b"}))
	f.Fuzz(func(t *testing.T, data []byte) {
		if u, err := bundle.Unpack(data); err == nil && (len(u.Names) == 0 || len(u.Files()) != len(u.Names)) {
			t.Errorf("%+v", u)
		}
	})
}
