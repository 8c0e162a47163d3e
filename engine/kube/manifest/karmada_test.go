package manifest_test

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	yaml "go.yaml.in/yaml/v3"

	"berth/engine/input/format"
	"berth/engine/kube"
	"berth/engine/kube/manifest"
)

// policyFields are the fields that Berth writes in the specification of a PropagationPolicy and of
// a ClusterPropagationPolicy, with their types and bounds, from the custom resource definitions of
// Karmada v1.18.2. No other field of these objects has one of these names. "!" marks a required
// field.
const policyFields = `
priority integer
resourceSelectors! array min=1
resourceSelectors[] object
resourceSelectors[].apiVersion! string
resourceSelectors[].kind! string
resourceSelectors[].name string
resourceSelectors[].namespace string
placement object
placement.clusterAffinity object
placement.clusterAffinity.clusterNames array
placement.clusterAffinity.clusterNames[] string
placement.clusterTolerations array
placement.clusterTolerations[] object
placement.clusterTolerations[].effect string
placement.clusterTolerations[].key string
placement.clusterTolerations[].operator string
placement.clusterTolerations[].value string
placement.replicaScheduling object
placement.replicaScheduling.replicaDivisionPreference string Aggregated|Weighted
placement.replicaScheduling.replicaSchedulingType string Duplicated|Divided
placement.replicaScheduling.weightPreference object
placement.replicaScheduling.weightPreference.staticWeightList array
placement.replicaScheduling.weightPreference.staticWeightList[] object
placement.replicaScheduling.weightPreference.staticWeightList[].targetCluster! object
placement.replicaScheduling.weightPreference.staticWeightList[].targetCluster.clusterNames array
placement.replicaScheduling.weightPreference.staticWeightList[].targetCluster.clusterNames[] string
placement.replicaScheduling.weightPreference.staticWeightList[].weight! integer min=1
`

// field is one of policyFields.
type field struct {
	kind   string
	must   bool
	least  int
	values []string
}

func schema() map[string]field {
	all := map[string]field{"": {kind: "object"}}
	for line := range strings.Lines(policyFields) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		path, must := strings.CutSuffix(words[0], "!")
		f := field{kind: words[1], must: must}
		for _, bound := range words[2:] {
			if least, is := strings.CutPrefix(bound, "min="); is {
				f.least, _ = strconv.Atoi(least)
			} else {
				f.values = strings.Split(bound, "|")
			}
		}
		all[path] = f
	}
	return all
}

// breaks lists the violations of a schema in a value.
func breaks(fields map[string]field, path string, v any) (all []string) {
	f, known := fields[path]
	wrong := func(format string, args ...any) { all = append(all, path+": "+fmt.Sprintf(format, args...)) }
	switch x := v.(type) {
	case map[string]any:
		if f.kind != "object" {
			wrong("an object")
		}
		for _, key := range slices.Sorted(maps.Keys(x)) {
			all = append(all, breaks(fields, strings.TrimPrefix(path+"."+key, "."), x[key])...)
		}
		for name, below := range fields {
			if key, is := strings.CutPrefix(name, strings.TrimPrefix(path+".", ".")); is && below.must && !strings.ContainsAny(key, ".[") && x[key] == nil {
				wrong("without %s", key)
			}
		}
	case []any:
		if f.kind != "array" || len(x) < f.least {
			wrong("a list of %d", len(x))
		}
		for _, item := range x {
			all = append(all, breaks(fields, path+"[]", item)...)
		}
	case string:
		if f.kind != "string" || f.values != nil && !slices.Contains(f.values, x) {
			wrong("%q", x)
		}
	case int:
		if f.kind != "integer" || x < f.least {
			wrong("%d", x)
		}
	default:
		wrong("%T", v)
	}
	if !known {
		wrong("is no field")
	}
	return all
}

// owner identifies the job of a Deployment that [app] returns.
func owner(name string) kube.Owner {
	return kube.Owner{Kind: "Deployment", Namespace: "default", Name: name}
}

// Policies written for Karmada match its definitions: with and without tolerations,
// for pods that stay together and pods that are divided, for objects with and without
// a namespace. A toleration that the jobs of several clusters have is written once in a policy.
func TestWrittenPoliciesAreOfTheSchema(t *testing.T) {
	text := app("web", "      containers: [{name: c}]") + "\n" + app("api", "      containers: [{name: c}]") + `
---
{apiVersion: v1, kind: Namespace, metadata: {name: shop}}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: reader}}
---
{apiVersion: policy.karmada.io/v1alpha1, kind: PropagationPolicy, metadata: {name: own}, spec: {priority: 3, resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}]}}
`
	edge := []kube.Toleration{{Key: "edge", Operator: "Equal", Value: "true", Effect: "NoSchedule"}}
	p := &format.Placement{Files: []format.File{{Name: "app.yaml", Text: text}}, Facts: [][2]string{{"berth/cost", "12.5"}}, Jobs: []format.PlacedJob{
		{Owner: owner("web"), Cluster: "eu", Pods: 2, Tolerations: edge}, {Owner: owner("web"), Cluster: "us", Pods: 1, Tolerations: edge}, {Owner: owner("api"), Cluster: "us", Pods: 1},
	}}
	var out strings.Builder
	if err := manifest.WriteKarmada(&out, p); err != nil {
		t.Fatal(err)
	}
	fields, seen := schema(), map[string]int{}
	documents := yaml.NewDecoder(strings.NewReader(out.String()))
	for {
		var object struct {
			APIVersion string `yaml:"apiVersion"`
			Kind       string
			Metadata   struct{ Name, Namespace string }
			Spec       map[string]any
		}
		if documents.Decode(&object) != nil {
			break
		}
		if object.APIVersion != "policy.karmada.io/v1alpha1" || object.Metadata.Name == "own" {
			continue
		}
		seen[object.Kind]++
		for _, why := range breaks(fields, "", object.Spec) {
			t.Errorf("%s %s: %s", object.Kind, object.Metadata.Name, why)
		}
		if (object.Kind == "PropagationPolicy") != (object.Metadata.Namespace != "") {
			t.Errorf("%s %s in the namespace %q", object.Kind, object.Metadata.Name, object.Metadata.Namespace)
		}
	}
	if seen["PropagationPolicy"] < 2 || seen["ClusterPropagationPolicy"] == 0 || !strings.Contains(out.String(), "staticWeightList") || strings.Count(out.String(), "key: edge") != strings.Count(out.String(), "clusterTolerations") {
		t.Errorf("%v in\n%s", seen, out.String())
	}
	for text, want := range map[string]string{
		"{placement: {}}":                  "without resourceSelectors",
		"{resourceSelectors: []}":          "a list of 0",
		"{resourceSelectors: [{kind: x}]}": "without apiVersion",
		"{resourceSelectors: 3}":           "resourceSelectors: 3",
		"{placement: {clusterNames: [a]}}": "is no field",
		"{placement: {replicaScheduling: {replicaSchedulingType: Shared}}}": `"Shared"`,
	} {
		var spec map[string]any
		if err := yaml.Unmarshal([]byte(text), &spec); err != nil || !strings.Contains(strings.Join(breaks(fields, "", spec), "\n"), want) {
			t.Errorf("%s: %q, want %s", text, breaks(fields, "", spec), want)
		}
	}
}

// If a placement has another number of pods than the manifest, for example after a
// what-if change, the file notes it beside the number, and the message reports it.
func TestOtherNumbersOfPodsAreSaid(t *testing.T) {
	text := app("web", "      containers: [{name: c}]") + "\n" + app("api", "      containers: [{name: c}]")
	for name, write := range map[string]func(io.Writer, *format.Placement) error{"karmada": manifest.WriteKarmada, "kubectl": manifest.WriteManifests} {
		p := &format.Placement{Files: []format.File{{Name: "app.yaml", Text: text}}, Jobs: []format.PlacedJob{
			{Owner: owner("web"), Cluster: "eu", Pods: 4}, {Owner: owner("api"), Cluster: "eu", Pods: 1},
		}}
		var out strings.Builder
		if err := write(&out, p); err != nil {
			t.Fatal(err)
		}
		if strings.Count(out.String(), "replicas: 4 # the manifest has 1\n") != 1 || strings.Count(out.String(), "#") != 1 ||
			len(p.Remarks) != 1 || p.Remarks[0] != "Deployment web is written with 4 replicas, as placed: its manifest has 1" {
			t.Errorf("%s says %q and writes\n%s", name, p.Remarks, out.String())
		}
	}
}
