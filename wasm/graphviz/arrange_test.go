package graphviz

import "testing"

func TestArrange(t *testing.T) {
	const svg = `<svg viewBox="0 0 9 9"><g id="graph0" class="graph"><title>berth</title><polygon/>` +
		`<g id="cluster-0" class="cluster"><title>cluster_0</title><g id="a_cluster-0"><a><text>eu</text></a></g></g>` +
		`<g id="job-0-0" class="node job"><title>j0_0</title><g/></g>` +
		`<g id="dependency-0-0" class="edge dependency"><title>j0_0&#45;&#45;j0_1</title><path/></g></g></svg>`
	const want = `<svg viewBox="0 0 9 9"><g id="graph0" class="graph"><title>berth</title><polygon/>` +
		"\n" + `<g id="dependency-0-0" class="edge dependency"><title>a – &lt;b&gt;</title><path/></g>` +
		"\n" + `<g id="cluster-0" class="cluster"><title>cluster_0</title><g id="a_cluster-0"><a><text>eu</text></a></g></g>` +
		"\n" + `<g id="job-0-0" class="node job"><title>job a on eu</title><g/></g></g></svg>`
	names := map[string]string{"job-0-0": "job a on eu", "dependency-0-0": "a – <b>"}
	if got := string(Arrange([]byte(svg), func(id string) string { return names[id] })); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, odd := range []string{``, `<svg/>`, `<svg><g class="graph"></g></svg>`, `<svg><g class="graph"/></svg>`, `<svg><g class="graph"><g id="x" class="edge"`} {
		Arrange([]byte(odd), func(string) string { return "x" }) // and does not panic
	}
}
