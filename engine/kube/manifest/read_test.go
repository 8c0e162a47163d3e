package manifest_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"berth/engine/diag"
	"berth/engine/dot"
	"berth/engine/input/format"
	"berth/engine/kube"
	"berth/engine/kube/manifest"
	"berth/engine/must"
	"berth/engine/show"
)

// deployment reads manifests and writes them as .dot, with the diagnostics.
func deployment(t testing.TB, text string, o format.Options) (string, string) {
	t.Helper()
	all, found := manifest.ReadDeployment("app.yaml", []byte(text), o)
	var b bytes.Buffer
	for _, d := range all {
		must.Do(t, dot.WriteDeployment(&b, d.Deployment, dot.Plain))
	}
	return b.String(), words(found)
}

// words returns all messages, one per line.
func words(found diag.List) string {
	return show.Joined(found, "\n", diag.Diagnostic.String)
}

// app returns a Deployment with one container.
func app(name, spec string) string {
	return fmt.Sprintf(`---
apiVersion: apps/v1
kind: Deployment
metadata: {name: %s}
spec:
  template:
    metadata: {labels: {app: %s}}
    spec:
%s`, name, name, spec)
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}

// Pods request what Kubernetes computes: KEP-753 has the same examples.
func TestPodsAskFor(t *testing.T) {
	const c = `{name: c, resources: {requests: {cpu: %s, memory: 100Mi}, limits: {cpu: "2", memory: 100Mi}}%s}`
	container := func(cpu, more string) string { return fmt.Sprintf(c, cpu, more) }
	always := ", restartPolicy: Always"
	for spec, want := range map[string]string{
		"      containers: [" + container("100m", "") + "," + container("250m", "") + "]":                                                            "request=350, limit=4000, memory_request=200",
		"      initContainers: [" + container("900m", "") + "]\n      containers: [" + container("100m", "") + "]":                                   "request=900, limit=2000, memory_request=100",
		"      initContainers: [" + container("300m", always) + "]\n      containers: [" + container("100m", "") + "]":                               "request=400, limit=4000, memory_request=200",
		"      initContainers: [" + container("300m", always) + "," + container("500m", "") + "]\n      containers: [" + container("100m", "") + "]": "request=800, limit=4000, memory_request=200",
		"      initContainers: [" + container("500m", "") + "," + container("300m", always) + "]\n      containers: [" + container("100m", "") + "]": "request=500, limit=4000, memory_request=200",
		"      overhead: {cpu: 50m, memory: 20Mi}\n      containers: [" + container("100m", "") + "]":                                                "request=150, limit=2050, memory_request=120",
		"      containers: [{name: c, resources: {limits: {cpu: 300m, memory: 1Gi}}}]":                                                               "request=300, limit=300, memory_request=1024",
		"      containers: [{name: c, resources: {requests: {cpu: 0.1, memory: 1M, ephemeral-storage: 1Gi, nvidia.com/gpu: 1}}}]":                    `storage_request=1024, storage_limit=1024, "nvidia.com/gpu_request"=1`,
		"      resources: {requests: {cpu: 700m}}\n      containers: [{name: c, resources: {requests: {cpu: 100m, memory: 1Gi}}}]":                   "request=700",
		"      containers: [{name: c, resources: {requests: {cpu: 100m, memory: 1e3}}}]":                                                             "memory_request=0.00095367431640625",
	} {
		got, said := deployment(t, app("web", spec), format.Options{})
		if !strings.Contains(got, want) || strings.Contains(said, "error") {
			t.Errorf("%s\ngives %s, want %s\n%s", spec, got, want, said)
		}
	}
}

func TestJobs(t *testing.T) {
	const pod = `{metadata: {labels: {app: x}}, spec: {containers: [{name: c, resources: {requests: {cpu: 1, memory: 1Gi}}}]}}`
	text := `
{"apiVersion": "v1", "kind": "List", "items": [
 {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "db"}, "spec": {"replicas": 3, "template": ` + pod + `}},
 {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "db", "namespace": "other"}, "spec": {"template": ` + pod + `}},
 {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": "owned", "ownerReferences": [{"kind": "Deployment", "name": "db", "controller": true}]}, "spec": {"template": ` + pod + `}},
 {"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": "agent"}, "spec": {"template": ` + pod + `}},
 {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "once"}, "spec": {"parallelism": 5, "completions": 2, "template": ` + pod + `}},
 {"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "nightly"}, "spec": {"jobTemplate": {"spec": {"template": ` + pod + `}}}},
 {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "asleep"}, "spec": {"replicas": 0, "template": ` + pod + `}},
 {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "bare"}, "spec": {"containers": [{"name": "c"}]}},
 {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "done"}, "spec": {"containers": []}, "status": {"phase": "Succeeded"}},
 {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}},
 {"apiVersion": "example.com/v1", "kind": "Deployment", "metadata": {"name": "s"}}
]}`
	got, said := deployment(t, text, format.Options{})
	contains(t, got, "\tdb [request=3000,", `"other/db" [request=1000,`, "once [request=2000,", "nightly [request=1000,", "bare [];")
	contains(t, said, "2 objects of kinds that Berth does not use: 1 Deployment, 1 Secret", "1 workload without replicas, or suspended, is not placed",
		"1 container without a request of CPU and 1 without one of memory")
	if strings.Count(got, ";") != 5 {
		t.Errorf("not five jobs:\n%s", got)
	}
	got, _ = deployment(t, text, format.Options{Reading: format.Reading{Split: true}})
	contains(t, got, `"db#3" [request=1000`, `"once#2"`)
}

// The message about a file without workloads says what creates pods instead.
func TestNoWorkload(t *testing.T) {
	for text, want := range map[string]string{
		"{apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: j}, spec: {tasks: [{template: {spec: {containers: [{name: c}]}}}]}}": "it has Job/j: Berth does not know this kind",
		"{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: d}, spec: {template: {spec: {containers: [{name: c}]}}}}":                        "the pods of a DaemonSet run on every node",
		"{apiVersion: v1, kind: Service, metadata: {name: s}}":                                                                                    "CronJob or Pod",
	} {
		_, found := manifest.ReadDeployment("f.yaml", []byte(text), format.Options{})
		if got := fmt.Sprint(found.Err()); !strings.Contains(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestLimitRange(t *testing.T) {
	got, _ := deployment(t, app("web", "      containers: [{name: c}, {name: d, resources: {limits: {cpu: 2}}}]")+`
---
apiVersion: v1
kind: LimitRange
metadata: {name: l}
spec: {limits: [{type: Container, defaultRequest: {cpu: 100m, memory: 64Mi}, default: {cpu: 1, memory: 128Mi}}]}
`, format.Options{})
	contains(t, got, "web [request=2100, limit=3000, memory_request=128, memory_limit=256]") // a limit becomes the request before the default does
}

const backend = `
---
apiVersion: v1
kind: Service
metadata: {name: db}
spec: {selector: {app: store}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data:
  app.properties: |
    url=postgres://user@db.default.svc.cluster.local:5432/shop
    note=the db is slow
`

func TestDependencies(t *testing.T) {
	store := app("store", "      containers: [{name: c, resources: {requests: {cpu: 1}}}]") + backend
	web := func(container string) string {
		return app("web", "      containers: [{name: c, resources: {requests: {cpu: 1}}, "+container+"}]\n") + store
	}
	for container, inferred := range map[string]bool{
		`env: [{name: A, value: "db"}]`:                                      true,
		`env: [{name: A, value: "db:5432"}]`:                                 true,
		`env: [{name: A, value: "http://db/x"}]`:                             true,
		`env: [{name: A, value: "db.default"}]`:                              true,
		`env: [{name: A, value: "store-0.db.default.svc"}]`:                  true,
		`args: ["--dsn=db.default.svc.cluster.local:5432"]`:                  true,
		`args: ["--host=db"]`:                                                true,
		`env: [{name: A, value: "a,db,c"}]`:                                  true,
		`envFrom: [{configMapRef: {name: settings}}]`:                        true,
		`env: [{name: A, value: "the db is slow"}]`:                          false,
		`env: [{name: A, value: "db.other"}]`:                                false,
		`env: [{name: A, value: "dbx"}]`:                                     false,
		`env: [{name: A, value: "my-db"}]`:                                   false,
		`env: [{name: A, valueFrom: {fieldRef: {fieldPath: status.podIP}}}]`: false,
	} {
		got, said := deployment(t, web(container), format.Options{})
		if strings.Contains(got, "web -- store [inferred=true]") != inferred {
			t.Errorf("%s: inferred should be %t\n%s\n%s", container, inferred, got, said)
		}
	}
	most := 50.0
	got, said := deployment(t, web(`env: [{name: A, value: "db"}]`), format.Options{Reading: format.Reading{InferredLatency: &most}})
	contains(t, got, "web -- store [latency=50, inferred=true]")
	contains(t, said, "1 dependency inferred", "each allows 50 ms")
	got, _ = deployment(t, web(`env: [{name: A, value: "db"}]`), format.Options{Reading: format.Reading{NoInferred: true}})
	if strings.Contains(got, "--") {
		t.Errorf("inferred, though not wanted:\n%s", got)
	}

	annotated := strings.Replace(web(""), "{name: web}", `{name: web, annotations: {berth/dependencies: "db latency=20 bandwidth=100; web"}}`, 1)
	got, _ = deployment(t, strings.Replace(annotated, "}}, }]", "}}}]", 1), format.Options{})
	contains(t, got, "web -- store [latency=20, bandwidth=100]")

	got, _ = deployment(t, strings.Replace(web(""), "}}, }]", "}}}]", 1)+`
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: net}
spec: {podSelector: {matchLabels: {app: store}}, ingress: [{from: [{podSelector: {matchLabels: {app: web}}}, {podSelector: {}}]}]}
---
apiVersion: appgroup.diktyo.x-k8s.io/v1alpha1
kind: AppGroup
metadata: {name: g}
spec:
  workloads:
  - workload: {kind: Deployment, name: web}
    dependencies: [{workload: {kind: Deployment, name: store}, minBandwidth: 100M, maxNetworkCost: 30}]
`, format.Options{})
	contains(t, got, "store [latency=30, bandwidth=100]")
}

// Terms of affinity to other pods may use any label of nodes; kubernetes.io/hostname means the
// nodes themselves. matchLabelKeys and mismatchLabelKeys use the pod's own labels.
func TestAffinityToPods(t *testing.T) {
	all, found := manifest.ReadDeployment("app.yaml", []byte(app("web", `      affinity:
        podAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
          - {topologyKey: topology.kubernetes.io/zone, labelSelector: {matchLabels: {tier: data}}, namespaces: [store], mismatchLabelKeys: [app]}
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
          - {topologyKey: kubernetes.io/hostname, labelSelector: {}, matchLabelKeys: [app, absent], namespaceSelector: {}}
      containers: [{name: c, resources: {requests: {cpu: 1, memory: 1}}}]`)), format.Options{})
	if len(found.Errors()) > 0 || strings.Contains(found[0].String(), "affinity") {
		t.Fatal(found)
	}
	s := all[0].Pods[0].Shape
	with := []kube.Near{{Key: "topology.kubernetes.io/zone", Namespaces: []string{"store"}, Selector: kube.Selector{
		{Key: "tier", Operator: "In", Values: []string{"data"}}, {Key: "app", Operator: "NotIn", Values: []string{"web"}}}}}
	apart := []kube.Near{{Labelled: kube.Selector{}, Selector: kube.Selector{{Key: "app", Operator: "In", Values: []string{"web"}}}}}
	if fmt.Sprint(s.With) != fmt.Sprint(with) || fmt.Sprint(s.AntiAffinity) != fmt.Sprint(apart) {
		t.Errorf("%+v\n%+v", s.With, s.AntiAffinity)
	}
}

// Each error has the file, line and column, document, object and field.
func TestErrorsSayWhere(t *testing.T) {
	for text, want := range map[string]string{
		"a: [1":            "app.yaml:1:1: document 1: this is not YAML",
		"a:\n\tb: 1":       "app.yaml:2:1: document 1: this is not YAML: a tab in the indentation",
		"a: 1\nb: 2\na: 3": `app.yaml:3:1: document 1: the key "a" is twice in one mapping, first in line 1`,
		"a: 1":             `app.yaml:1:1: document 1: an object of Kubernetes has "apiVersion" and "kind"`,
		"hello":            "app.yaml:1:1: document 1: expected a mapping, found a single value",
		"? [a]\n: b":       "the key of a mapping is a list",
		"a: &a [*a]":       "the alias *a is within its own anchor",
		app("web", "      containers: {name: c}"):                                                                                                                               `app.yaml:8:19: document 1, Deployment "web", spec.template.spec.containers: expected a list, found a mapping`,
		app("web", "      containers:\n      - resources: {requests: {cpu: 1x}}"):                                                                                               `app.yaml:9:37: document 1, Deployment "web", spec.template.spec.containers[0].resources.requests.cpu: "1x" is not a quantity`,
		app("a", "      containers: []\n") + app("b", "      containers:\n      - resources: {requests: {memory: -1}}"):                                                         `app.yaml:18:40: document 2, Deployment "b", spec.template.spec.containers[0].resources.requests.memory: "-1" is a negative quantity`,
		app("a", "      containers: []\n") + app("a", "      containers: []"):                                                                                                   `app.yaml:10:1: document 2, Deployment "a": is twice in the namespace "default", first in line 1`,
		"apiVersion: apps/v1\nkind: Deployment\nmetadata: {}":                                                                                                                   `document 1, Deployment "": metadata.name is missing`,
		"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {replicas: many}":                                                                                    "spec.template is missing",
		"apiVersion: v1\nkind: Service\nmetadata: {name: a}":                                                                                                                    "there is no workload in the file",
		app("web", "      affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {}}]}}\n      containers: []"):                              "spec.template.spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]: topologyKey is missing",
		app("web", "      affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [null]}}\n      containers: []"):                                         "requiredDuringSchedulingIgnoredDuringExecution[0]: topologyKey is missing",
		app("web", "      affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [null]}]}}}\n      containers: []"): `app.yaml:8:`,
		app("web", "      affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [5]}]}}}\n      containers: []"):    "matchExpressions[0]: expected a mapping, found a single value",
		strings.Repeat("[", 300) + strings.Repeat("]", 300):                                                                                                                     "nested more than 200 deep",
	} {
		text = strings.TrimPrefix(text, "---\n") // of app
		got, said := deployment(t, text, format.Options{})
		if !strings.Contains(said, want) || got != "" {
			t.Errorf("%.80q: said\n%.300s\nwant %s", text, said, want)
		}
	}
}

// Nine lines that expand to a billion values are refused at once.
func TestBombIsRefused(t *testing.T) {
	text := "a: &a [lol,lol,lol,lol,lol,lol,lol,lol,lol,lol]\n"
	for c := 'b'; c <= 'i'; c++ {
		text += fmt.Sprintf("%c: &%c [%s*%c]\n", c, c, strings.Repeat(fmt.Sprintf("*%c,", c-1), 9), c-1)
	}
	_, said := deployment(t, text, format.Options{})
	contains(t, said, "the inputs hold more than 1000000 values that aliases stand for together, which is the limit")
}

func TestAnchorsAndMerges(t *testing.T) {
	got, said := deployment(t, `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      containers:
      - name: a
        resources: &r
          requests: &q {cpu: 100m, memory: 64Mi}
      - {name: b, resources: *r}
      - name: c
        resources: {requests: {<<: *q, cpu: 300m}}
`, format.Options{})
	contains(t, got, "web [request=500, limit=500, memory_request=192, memory_limit=192]")
	if strings.Contains(said, "not") && strings.Contains(said, "error") {
		t.Error(said)
	}
}

func TestOnlineBoutique(t *testing.T) {
	data := os.Getenv("BERTH_DATA")
	if data == "" {
		t.Skip("BERTH_DATA is not set: the manifests of a real shop are not read")
	}
	text := must.Get(os.ReadFile(filepath.Join(data, "kubernetes", "online-boutique.yaml")))(t)
	got, said := deployment(t, string(text), format.Options{})
	contains(t, got, `"redis-cart" [request=70, limit=125, memory_request=200, memory_limit=256]`,
		"frontend -- checkoutservice [inferred=true]", `cartservice -- "redis-cart" [inferred=true]`, "loadgenerator -- frontend [inferred=true]")
	contains(t, said, "11 ServiceAccount", "16 dependencies inferred")
	if jobs := strings.Count(got, "[request="); jobs != 12 {
		t.Errorf("%d jobs, want 12", jobs)
	}
}

// FuzzRead searches for texts that make a reader, or the answers about a cluster, panic.
func FuzzRead(f *testing.F) {
	f.Add([]byte("pools:\n- {type: a, allocatable: {cpu: 1, memory: 1Gi}, price: 0.1, labels: {a: b}, taints: [{key: k}]}"))
	f.Add([]byte("apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Node, metadata: {name: n}, status: {allocatable: {cpu: 1, memory: 1Gi}}}\n- {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}\n"))
	f.Add([]byte(`{"apiVersion": "v1", "items": [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n", "annotations": {"a": "}\""}}, "status": {"allocatable": {"cpu": "1"}}}], "kind": "List"}`))
	f.Add([]byte(`{"items":[{"env":[],"kind":"Pod"`))
	f.Add([]byte(app("web", "      containers: [{name: c, resources: {requests: {cpu: 1}}}]") + backend))
	f.Add([]byte(`{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Node","metadata":{"name":"n"},"status":{"allocatable":{"cpu":"4"}}}]}`))
	f.Add([]byte("a: &a {<<: *a}\n--- \n? x\n: - y\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		format.IsKubernetes(text)
		if all, found := manifest.ReadDeployment("f", text, format.Options{}); (all == nil) != (len(found.Errors()) > 0) {
			t.Error("neither a deployment nor an error")
		}
		if f, found := manifest.ReadFederation("f", text, format.Options{}); (f == nil) != (len(found.Errors()) > 0) {
			t.Error("neither a federation nor an error")
		}
		manifest.ReadPools("f", text, format.Options{})
		if manifest.Streams(text) {
			manifest.StreamCluster("f", bytes.NewReader(text), format.Options{})
		}
		if c, _ := manifest.ReadCluster("f", text, format.Options{}); c != nil {
			kube.Pending(kube.Default(), c)
			_, _ = kube.Drain(kube.Default(), []string{c.Nodes[0].Name}, c)
		}
	})
}

// The values agree with resource.Quantity of Kubernetes.
func TestParseQuantity(t *testing.T) {
	for text, want := range map[string][2]int64{
		"1": {1, 1000}, "250m": {1, 250}, "0.5": {1, 500}, "1.5Gi": {1610612736, 1610612736000}, "1e3": {1000, 1000000}, "1E3": {1000, 1000000},
		"12e-3": {1, 12}, "1n": {1, 1}, "100u": {1, 1}, "3Ki": {3072, 3072000}, "2k": {2000, 2000000}, ".5": {1, 500}, "5.": {5, 5000}, "+1": {1, 1000},
		"0": {0, 0}, "1M": {1000000, 1000000000}, "64Mi": {67108864, 67108864000}, "1.2345m": {1, 2}, "99999E": {manifest.MaxQuantity, manifest.MaxQuantity},
		// An exponent has at most two digits.
		"1e18": {1e18, manifest.MaxQuantity}, "1E19": {manifest.MaxQuantity, manifest.MaxQuantity}, "0e99": {0, 0}, "1e-99": {1, 1}, "12e+01": {120, 120_000},
		// The bytes fit in binary units, but their thousandths do not.
		"1048576Gi": {1 << 50, 1000 << 50}, "8589934591Gi": {8589934591 << 30, manifest.MaxQuantity}, "8589934592Gi": {manifest.MaxQuantity, manifest.MaxQuantity},
		"9223372036854776": {9223372036854776, manifest.MaxQuantity}, "99999999999999999999": {manifest.MaxQuantity, manifest.MaxQuantity},
	} {
		for i, parts := range []int64{1, 1000} {
			if got, err := manifest.ParseQuantity(text, parts); err != nil || got != want[i] {
				t.Errorf("%s in parts of %d: %d, %v; want %d", text, parts, got, err, want[i])
			}
		}
	}
	for _, text := range []string{"", "m", "1x", "1 Gi", "1gi", "-1", "1e", "1e+", "0x10", "1_0", "1..2", "٣", "1e100", "1e-100", strings.Repeat("0", 64) + "1"} {
		if got, err := manifest.ParseQuantity(text, 1); err == nil {
			t.Errorf("%q: %d, want an error", text, got)
		}
	}
}
