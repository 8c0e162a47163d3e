package kinds_test

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"runtime"
	"strings"
	"testing"

	"berth/engine/budget"
	"berth/engine/scenario"
	"berth/engine/study"
)

// linkTo packs any document into a link.
func linkTo(document []byte) string {
	var packed bytes.Buffer
	w, _ := flate.NewWriter(&packed, flate.BestCompression)
	w.Write(document)
	w.Close()
	link := "2." + base64.RawURLEncoding.EncodeToString(packed.Bytes())
	sum := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(link)))
	return link + "." + base64.RawURLEncoding.EncodeToString(sum)
}

// placing returns a document with texts of deployments.
func placing(federation string, deployments ...string) []byte {
	var sources []map[string]string
	for i, text := range deployments {
		sources = append(sources, map[string]string{"name": fmt.Sprintf("d%d", i), "dot": text})
	}
	data, err := json.Marshal(map[string]any{"version": 1, "kind": "placement", "placement": map[string]any{
		"federation": map[string]string{"name": "f", "dot": federation}, "deployments": sources,
		"strategies": []map[string]string{{"name": "heuristic"}},
	}})
	if err != nil {
		panic(err)
	}
	return data
}

// yamlBomb expands to size³ values.
func yamlBomb(size int) string {
	list := func(of string) string { return "[" + strings.TrimSuffix(strings.Repeat(of+",", size), ",") + "]" }
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\na: &a " + list("x") + "\nb: &b " + list("*a") + "\nc: " + list("*b") + "\n---\n"
}

// chain connects all nodes of a subgraph with all of the next one.
func chain(nodes, links int) string {
	var parts []string
	for i := range links {
		var b strings.Builder
		for k := range nodes {
			fmt.Fprintf(&b, " n%d_%d", i, k)
		}
		parts = append(parts, "{"+b.String()+" }")
	}
	return "graph { node [request=1, limit=1]; edge [latency=1]; " + strings.Join(parts, " -- ") + " }"
}

func mergeKeys(levels int) string {
	text := "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  m0: &m0 {a: b}\n"
	for i := range levels {
		text += fmt.Sprintf("  m%d: &m%d {<<: [%s*m%d]}\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*m%d,", i), 9), i)
	}
	return text + fmt.Sprintf("  labels: *m%d\n", levels)
}

const recipes = `{"version":1,"kind":"placement","placement":{"federation":{"name":"f","recipe":{"generator":"federation","preset":"thesis","seed":1}},
	"deployments":[%s{"name":"r","recipe":{"generator":"deployment","preset":"thesis","seed":1}}],"strategies":[{"name":"heuristic"}]}}`

// bombs are short documents that expand to much, each with a word of the refusal under the small
// limits.
func bombs() map[string]struct {
	document []byte
	want     string
} {
	huge := strings.Repeat(`{"name":"r","recipe":{"generator":"deployment","preset":"thesis","seed":1,"parameters":{"n_nodes":400,"n_edges":800}}},`, 50)
	return map[string]struct {
		document []byte
		want     string
	}{
		"aliases of one document":   {placing(federationText, yamlBomb(40)), "values that aliases stand for"},
		"aliases of many documents": {placing(federationText, strings.Repeat(yamlBomb(14), 8)), "values that aliases stand for"},
		"aliases of many files":     {placing(federationText, yamlBomb(14), yamlBomb(14), yamlBomb(14), yamlBomb(14), yamlBomb(14), yamlBomb(14), yamlBomb(14), yamlBomb(14)), "values that aliases stand for"},
		"merge keys":                {placing(federationText, mergeKeys(6)), "values that aliases stand for"},
		"values":                    {placing(federationText, "apiVersion: v1\nkind: Pod\na: ["+strings.Repeat("x,", 30_000)+"x]"), "values in YAML or JSON"},
		"small documents":           {placing(federationText, "apiVersion: v1\nkind: Pod\n"+strings.Repeat("---\n{}\n", 30_000)), "values in YAML or JSON"},
		"anchors":                   {placing(federationText, "apiVersion: v1\nkind: Pod\n"+strings.Repeat("- &a x\n", 30_000)), "values in YAML or JSON"},
		"depth of YAML":             {placing(federationText, "apiVersion: v1\nkind: Pod\na: "+strings.Repeat("[", 300)+strings.Repeat("]", 300)), "nested more than 200 deep"},
		"depth of subgraphs":        {placing(federationText, "graph "+strings.Repeat("{", 300)), "nested more than 200 deep"},
		"depth of GML":              {placing("graph ["+strings.Repeat(" a [", 300), deploymentText), "nested more than 200 deep"},
		"depth of GraphML":          {placing("<graphml>"+strings.Repeat("<a>", 300), deploymentText), "nested more than 200 deep"},
		"depth of JSON":             {[]byte(`{"version":1,"kind":"placement","placement":` + strings.Repeat("[", 300)), "not JSON"},
		"products of edges":         {placing(federationText, chain(100, 4)), "dependencies and links"},
		"products in many files":    {placing(federationText, chain(70, 2), chain(70, 2), chain(70, 2), chain(70, 2), chain(70, 2)), "dependencies and links"},
		"nodes of a network":        {placing("graph ["+strings.Repeat(" node [ id 1 ]", 20_000)+"]", deploymentText), "jobs and clusters"},
		"recipes":                   {fmt.Appendf(nil, recipes, huge), "jobs and clusters"},
		"a workload":                {[]byte(`{"version":1,"kind":"federate","federate":{"trace":{"name":"j","recipe":{"generator":"jobs","preset":"yahoo","seed":1,"parameters":{"jobs":1000000}}},"workers":10,"gms":1,"lms":1,"schedulers":["megha"]}}`), "generated tasks"},
	}
}

// limits returns a hundredth of the limits of a load, so that a test is quick.
func limits() (l budget.Limits) {
	l.Most[budget.Values], l.Most[budget.Originals], l.Most[budget.Aliases] = 20_000, 20_000, 20_000
	l.Most[budget.Nodes], l.Most[budget.Edges], l.Most[budget.Members] = 10_000, 20_000, 20_000
	l.Most[budget.Tasks], l.Most[budget.Bytes] = 50_000, 1<<20
	l.Memory = 32 << 20
	return l
}

// open does the same as opening a link before anything runs: it reads all sources.
func open(t testing.TB, link string) error {
	s, err := scenario.DecodeLink(link)
	if err != nil {
		return err
	}
	l := limits()
	_, err = scenario.Prepare(t.Context(), s, scenario.Env{Memory: l.Memory, Budget: budget.New(l)})
	if d := study.Of(s); err == nil && d != nil {
		_, err = study.NewPlan(d)
	}
	return err
}

func TestBombsInLinksAreRefused(t *testing.T) {
	for name, bomb := range bombs() {
		link := linkTo(bomb.document)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := open(t, link)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), bomb.want) {
			t.Errorf("%s: %.300v, want %s", name, err, bomb.want)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 128<<20 {
			t.Errorf("%s: %d MB are allocated for a link of %d characters", name, took>>20, len(link))
		}
	}
}

// Any link is opened or refused with a message.
func FuzzLink(f *testing.F) {
	for _, bomb := range bombs() {
		if len(bomb.document) < 100_000 {
			f.Add(bomb.document)
		}
	}
	for _, s := range small() {
		f.Add(scenario.Encode(s))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := open(t, linkTo(document))
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 512<<20 {
			t.Errorf("%d MB are allocated for a document of %d bytes", took>>20, len(document))
		}
		if err != nil && err.Error() == "" {
			t.Error("refused without a word")
		}
	})
}
