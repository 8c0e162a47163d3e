package bundle_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"
	"testing"

	"berth/engine/bundle"
	"berth/engine/federate/federatekind"
	packedfile "berth/engine/input/packed"
	_ "berth/engine/kinds"
	"berth/engine/must"
	"berth/engine/scenario"
	"berth/engine/study"
)

func masters() scenario.Scenario {
	return federatekind.New("two masters", federatekind.Document{
		Trace:   scenario.Source{Name: "small.tr", Text: "0 2 5 4 6\n1 1 5 5\n"},
		Workers: 2, GMs: 1, LMs: 1, Schedulers: []string{"megha"}, Seed: 1,
	})
}

// packed runs a scenario and returns its zip.
func packed(t testing.TB, s scenario.Scenario) []byte {
	t.Helper()
	r := must.Get(scenario.Run(t.Context(), s, scenario.Env{}))(t)
	b := must.Get(bundle.New(s, r))(t)
	data := must.Get(b.Encode())(t)
	return data
}

// file is an entry of a zip.
type file struct{ name, text string }

// files returns the entries of a zip.
func files(t *testing.T, data []byte) []file {
	t.Helper()
	r := must.Get(zip.NewReader(bytes.NewReader(data), int64(len(data))))(t)
	var all []file
	for _, f := range r.File {
		if f.Modified.Year() >= 1980 {
			t.Errorf("%s has a time", f.Name)
		}
		from := must.Get(f.Open())(t)
		text := must.Get(io.ReadAll(from))(t)
		all = append(all, file{f.Name, string(text)})
	}
	return all
}

// zipped returns a zip of entries.
func zipped(t testing.TB, all ...file) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range all {
		to := must.Get(w.Create(f.name))(t)
		io.WriteString(to, f.text)
	}
	must.Do(t, w.Close())
	return out.Bytes()
}

func TestRoundTrip(t *testing.T) {
	varied := study.New("seeds", study.Document{Base: masters(), Seeds: 2, Metrics: []string{"allocation.mean"}})
	for _, s := range []scenario.Scenario{masters(), varied} {
		data := packed(t, s)
		if !packedfile.Begins(data, packedfile.Zip) || !bytes.Equal(data, packed(t, s)) {
			t.Errorf("%s: the same run gives another zip", s.Kind)
		}
		b := must.Get(bundle.Decode(data))(t)
		if b.Manifest.Engine != scenario.Engine || b.Manifest.Scenario != s.Hash() || !strings.Contains(b.Manifest.Verify, "--verify") {
			t.Errorf("%s: the manifest is %+v", s.Kind, b.Manifest)
		}
		if d, err := b.Verify(t.Context(), scenario.Env{}); len(d) > 0 || err != nil {
			t.Errorf("%s: %v, %v", s.Kind, d, err)
		}
	}
}

// A changed byte is reported, with the hash that it changes.
func TestOneChangedByte(t *testing.T) {
	whole := files(t, packed(t, masters()))
	for _, test := range []struct {
		entry    int
		old, new string
		want     string
	}{
		{0, `"seed": 1`, `"seed": 2`, "SHA-256 of scenario.json"},
		{0, `{`, `[`, "SHA-256 of scenario.json"},
		{1, `"version": 1`, `"version": 2`, "SHA-256 of report.json"},
		{2, `"results": "`, `"results": "f`, "hash of the results"},
		{2, `"scenario": "`, `"scenario": "f`, "hash of the scenario"},
	} {
		all := append([]file{}, whole...)
		changed := strings.Replace(all[test.entry].text, test.old, test.new, 1)
		if changed == all[test.entry].text {
			t.Fatalf("no %s in %s", test.old, all[test.entry].text)
		}
		all[test.entry].text = changed
		b := must.Get(bundle.Decode(zipped(t, all...)))(t)
		if d, err := b.Verify(t.Context(), scenario.Env{}); err != nil || len(d) != 1 || !strings.HasPrefix(d[0], test.want+":") {
			t.Errorf("%s for %s: %q, %v", test.new, test.old, d, err)
		}
	}
}

// If the results are the same, a bundle by an earlier engine differs only in the engine's name.
func TestEarlierEngine(t *testing.T) {
	s := masters()
	r := must.Get(scenario.Run(t.Context(), s, scenario.Env{}))(t)
	engine := `engine: the bundle has "0.1.0", this run has "` + r.Engine + `"`
	r.Engine = "0.1.0"
	for headline, want := range map[string]string{r.Headline: engine, "other results": engine + "\nSHA-256 of report.json: the bundle has "} {
		r.Headline = headline
		b := must.Get(bundle.New(s, r))(t)
		d, err := b.Verify(t.Context(), scenario.Env{})
		if got := strings.Join(d, "\n"); err != nil || !strings.HasPrefix(got, want) || strings.Count(got, "\n") != strings.Count(want, "\n") {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
		b.Report = bytes.Replace(b.Report, []byte(`"workload"`), []byte(`"work"`), 1) // as earlier engines named it
		b.Manifest.Files.Report = fmt.Sprintf("%x", sha256.Sum256(b.Report))
		data := must.Get(b.Encode())(t)
		if _, err := bundle.Decode(data); err != nil {
			t.Error(err)
		}
	}
}

// A report that no run gives is found out even if its hashes match.
func TestReportThatNoRunGives(t *testing.T) {
	s := masters()
	r := must.Get(scenario.Run(t.Context(), s, scenario.Env{}))(t)
	r.Headline = "better than all others"
	b := must.Get(bundle.New(s, r))(t)
	if d, err := b.Verify(t.Context(), scenario.Env{}); err != nil || len(d) != 1 || !strings.HasPrefix(d[0], "SHA-256 of report.json: the bundle has") {
		t.Errorf("%q, %v", d, err)
	}
	r.Partial = true
	if _, err := bundle.New(s, r); err == nil {
		t.Error("a part of a run is bundled")
	}
	r.Partial, r.Scenario = false, "0000000000000000"
	if _, err := bundle.New(s, r); err == nil {
		t.Error("a report of another scenario is bundled")
	}
}

// A bundle whose hashes match but whose report is invalid is refused, with the position.
func TestReportThatIsNone(t *testing.T) {
	s := masters()
	r := must.Get(scenario.Run(t.Context(), s, scenario.Env{}))(t)
	b := must.Get(bundle.New(s, r))(t)
	b.Report = bytes.Replace(b.Report, []byte(`"workload"`), []byte(`"work"`), 1)
	b.Manifest.Files.Report = fmt.Sprintf("%x", sha256.Sum256(b.Report))
	data := must.Get(b.Encode())(t)
	if _, err := bundle.Decode(data); err == nil || !strings.Contains(err.Error(), "report.json: ") || !strings.Contains(err.Error(), "federate.workload: missing") {
		t.Errorf("got %v", err)
	}
}

func TestDamagedZips(t *testing.T) {
	data := packed(t, masters())
	all := files(t, data)
	flipped := bytes.Clone(data)
	flipped[100] ^= 1
	bomb := file{bundle.ScenarioName, strings.Repeat(" ", bundle.MaxScenario+1)}
	understated := zipped(t, bomb, all[1], all[2])
	at := bytes.LastIndex(understated, []byte("PK\x01\x02")) // of the last entry; the first one's comes before
	at = bytes.LastIndex(understated[:at], []byte("PK\x01\x02"))
	at = bytes.LastIndex(understated[:at], []byte("PK\x01\x02"))
	copy(understated[at+24:], []byte{1, 0, 0, 0}) // its size unpacked
	for _, test := range []struct {
		name string
		zip  []byte
		want string
	}{
		{"empty", nil, "the zip is damaged"},
		{"no zip", []byte("PK\x03\x04 and nothing"), "the zip is damaged"},
		{"cut off", data[:len(data)-9], "the zip is damaged"},
		{"another byte", flipped, "the zip is damaged"},
		{"a bomb", zipped(t, bomb, all[1], all[2]), "it unpacks to more than 67108864 bytes"},
		{"a bomb that understates its size", understated, "the zip is damaged"},
		{"a large manifest", zipped(t, all[0], all[1], file{bundle.ManifestName, strings.Repeat(" ", 65<<10)}), "it unpacks to more than 65536 bytes"},
		{"a missing file", zipped(t, all[0], all[2]), "report.json is missing"},
		{"a file twice", zipped(t, all[0], all[0], all[1], all[2]), "scenario.json is there twice"},
		{"another file", zipped(t, append(all, file{"../../etc/passwd", ""})...), `found the entry "../../etc/passwd"`},
		{"another version", zipped(t, all[0], all[1], file{bundle.ManifestName, `{"version": 2}`}), "bundle.json: the version is 2, expected 1"},
		{"another field", zipped(t, all[0], all[1], file{bundle.ManifestName, `{"version": 1, "run": "rm"}`}), `unknown field "run"`},
		{"an empty manifest", zipped(t, all[0], all[1], file{bundle.ManifestName, ""}), "bundle.json:1:1: not JSON: the text ends too early"},
		{"more than a manifest", zipped(t, all[0], all[1], file{bundle.ManifestName, `{"version": 1} 2`}), "bundle.json: more text follows"},
	} {
		if _, err := bundle.Decode(test.zip); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v; want %s", test.name, err, test.want)
		}
	}
}

// Every bundle that can be read can be written and read again.
func FuzzDecode(f *testing.F) {
	data := packed(f, masters())
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Add(zipped(f, file{bundle.ManifestName, `{"version": 1}`}))
	f.Add(zipped(f, file{bundle.ScenarioName, "{}"}, file{bundle.ReportName, ""}, file{bundle.ManifestName, `{"version": 1}`}))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := bundle.Decode(data)
		if err != nil {
			return
		}
		again, err := b.Encode()
		if err != nil {
			return // a manifest may exceed its largest size
		}
		c, err := bundle.Decode(again)
		if err != nil || c.Manifest != b.Manifest || !bytes.Equal(c.Scenario, b.Scenario) || !bytes.Equal(c.Report, b.Report) {
			t.Errorf("%+v becomes %+v, %v", b, c, err)
		}
	})
}
