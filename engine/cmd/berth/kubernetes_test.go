package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/placement/placementkind"
)

var onNodes = []string{"--federation", "eu.yaml", "--federation", "us.yaml", "--federation", "prices.dot", "--deployment", "shop.yaml"}

var nearby = []string{"--federation", "eu.yaml", "--federation", "us.yaml", "--federation", "prices.dot", "--deployment", "near.yaml"}

var linkIn = regexp.MustCompile(`berth/link: s=\S+`)

// This is the output for the manifests of a shop and the nodes of two clusters.
func TestKubernetes(t *testing.T) {
	t.Chdir("testdata/kubernetes")
	got := transcriptOf(t, [][]string{
		{"convert", "shop.yaml"}, {"convert", "shop.yaml", "--inferred", "drop"}, {"convert", "shop.yaml", "--latency", "50", "--dialect", "thesis"},
		{"convert", "eu.yaml", "us.yaml", "prices.dot"}, {"convert", "one=eu.yaml"}, {"convert", "us.yaml", "--cluster-by", "zone"},
		append([]string{"place", "--format", "text"}, onNodes...),
		append([]string{"place", "--format", "text", "--what-if", "drain us-1", "--what-if", "scale web 2"}, onNodes...),
		append([]string{"place", "--format", "text", "--what-if", "fail eu", "--keep"}, onNodes...),
		append([]string{"place", "--format", "text", "--what-if", "add big ×2 like us-1", "--what-if", "price us ×0.1", "--what-if", "latency ×0.1"}, onNodes...),
		append([]string{"place", "--format", "text", "--pools", "pools.yaml", "--what-if", "fail us", "--what-if", "add pool large ×2"}, onNodes...),
		append([]string{"place", "--pools", "pools.yaml", "--what-if", "add pool large"}, onNodes...), append([]string{"place", "--what-if", "add pool eu/large"}, onNodes...),
		append([]string{"place", "--format", "text", "--what-if", "drain nobody"}, onNodes...),
		append([]string{"place", "--what-if", "explode eu"}, onNodes...), append([]string{"place", "--keep"}, onNodes...),
		append([]string{"place", "--format", "karmada"}, onNodes...), append([]string{"place", "--format", "kubectl", "--split"}, onNodes...),
		{"place", "--federation", "member.yaml", "--deployment", "shop.yaml", "--format", "text"},
		{"place", "--federation", "eu.yaml", "--federation", "./eu.yaml", "--deployment", "shop.yaml", "--strict"},
		append([]string{"place", "--strategy", "exact", "--explain", "web", "--format", "text"}, onNodes...),
		append([]string{"place", "--strategy", "exact", "--explain", "cache", "--format", "text"}, nearby...), append([]string{"place", "--format", "text", "--what-if", "fail us"}, nearby...),
		{"place", "--federation", "unknown.yaml", "--deployment", "shop.yaml", "--format", "text"}, {"place", "--federation", "tainted.yaml", "--deployment", "propagated.yaml", "--format", "karmada"},
		{"place", "--federation", "tainted.yaml", "--deployment", "propagated.yaml", "--explain", "archive", "--format", "text"},
		{"place", "--federation", "tainted.yaml", "--deployment", "propagated.yaml", "--what-if", "fail core", "--format", "text"}, {"convert", "tainted.yaml"},
		{"convert"}, {"convert", "../empty.dot"}, {"convert", "--role", "federation", "shop.yaml"}, {"export", "../scenario.json"},
	}, measured)
	golden.Check(t, "../kubernetes.txt", linkIn.ReplaceAllString(got, "berth/link: (link)"))
}

// Written manifests read back as the same graph, also in the encoding of PowerShell, and record the
// cluster of each job.
func TestWrittenManifestsReadBack(t *testing.T) {
	t.Chdir("testdata/kubernetes")
	want, _, _ := exec(t, "", "convert", "shop.yaml")
	for _, as := range []string{"karmada", "kubectl"} {
		text := succeeds(t, "", append([]string{"place", "--format", as}, onNodes...)...)
		got, _, _ := exec(t, "", "convert", must.File(t, "shop.yaml", string(inUTF16(binary.LittleEndian, windows([]byte(text))))))
		if as == "kubectl" { // in the order of the clusters
			got, want = strings.Join(slices.Sorted(strings.SplitSeq(got, "\n")), "\n"), strings.Join(slices.Sorted(strings.SplitSeq(want, "\n")), "\n")
		}
		if got != want {
			t.Errorf("%s reads back as\n%s\nwant\n%s", as, got, want)
		}
		where := writtenPlacement(t, text)
		for job, cluster := range placementOf(t, onNodes...) {
			if where[job] != cluster {
				t.Errorf("%s: %s is on %q, want %q", as, job, where[job], cluster)
			}
		}
	}
}

// writtenPlacement reads the cluster of each job from the policies of Karmada, or from the labels
// of manifests.
func writtenPlacement(t *testing.T, text string) map[string]string {
	t.Helper()
	where := map[string]string{}
	for manifests := yaml.NewDecoder(strings.NewReader(text)); ; {
		var m struct {
			Kind     string
			Metadata struct {
				Name        string
				Annotations map[string]string
			}
			Spec struct {
				ResourceSelectors []struct{ Kind, Name string } `yaml:"resourceSelectors"`
				Placement         struct {
					ClusterAffinity struct {
						ClusterNames []string `yaml:"clusterNames"`
					} `yaml:"clusterAffinity"`
				}
			}
		}
		if err := manifests.Decode(&m); errors.Is(err, io.EOF) {
			return where
		} else if err != nil {
			t.Fatal(err)
		}
		if cluster := m.Metadata.Annotations["berth/cluster"]; cluster != "" && m.Kind != "Service" {
			where[m.Metadata.Name] = cluster
		}
		for _, chosen := range m.Spec.ResourceSelectors {
			if chosen.Kind != "Service" {
				where[chosen.Name] = m.Spec.Placement.ClusterAffinity.ClusterNames[0]
			}
		}
	}
}

func placementOf(t *testing.T, args ...string) map[string]string {
	t.Helper()
	return placeFirst(t, args...).Placement
}

// Two deployments placed together also respect the nodes, and the remaining resources are reported
// after both.
func TestJointlyOnNodes(t *testing.T) {
	t.Chdir("testdata/kubernetes")
	args := append([]string{"place", "--joint", "--deployment", "shop.yaml", "--strategy", "exact"}, onNodes...)
	stdout, stderr, code := exec(t, "", args...)
	var got struct {
		Clusters    []placementkind.ClusterState
		Deployments []struct{ Placement map[string]string }
	}
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || code != statusPlaced {
		t.Fatal(err, code, stderr)
	}
	left, used := 0.0, 0.0
	for _, c := range got.Clusters {
		left += c.Left["cpu"]
	}
	for _, d := range got.Deployments {
		for job := range d.Placement {
			used += map[string]float64{"web": 1500, "cart": 500, "store": 1200, "train": 2000}[job]
		}
	}
	if len(got.Deployments) != 2 || left+used != 3100+16000 {
		t.Errorf("%v left and %v used, of 19100", left, used)
	}
	complains(t, "", "keep and joint exclude each other", append(args, "--keep", "--what-if", "drain us-1")...)
}

// The JSON of a what-if has the moves, the costs and the remaining resources.
func TestWhatIfJSON(t *testing.T) {
	t.Chdir("testdata/kubernetes")
	stdout, _, code := exec(t, "", append([]string{"place", "--what-if", "price us ×0.01"}, onNodes...)...)
	var got struct {
		Clusters []placementkind.ClusterState
		WhatIf   placementkind.Difference
	}
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || code != statusPlaced {
		t.Fatal(err, code)
	}
	d := got.WhatIf.Deployments[0]
	if len(d.Moves) == 0 || d.Moves[0].From != "eu" || d.Moves[0].To != "us" {
		t.Errorf("moves %v: cheaper by a hundred, us should draw what is in eu", d.Moves)
	}
	if !(got.WhatIf.After.Total < got.WhatIf.Before.Total) || len(got.Clusters) != 2 || !got.Clusters[0].Fragmentation.Defined() {
		t.Errorf("%+v", got)
	}
	kept, _, _ := exec(t, "", append([]string{"place", "--keep", "--what-if", "price us ×0.01"}, onNodes...)...)
	must.Do(t, json.Unmarshal([]byte(kept), &got))
	if moves := got.WhatIf.Deployments[0].Moves; len(moves) != 0 {
		t.Errorf("nothing has to move, and these do: %v", moves)
	}
}

// This is the availability that a placement gives. If all nodes of its cluster fail after a quarter
// of the time, an instance has that quarter.
func TestSimulateFromPlacement(t *testing.T) {
	t.Chdir("testdata/kubernetes")
	file := filepath.Join(t.TempDir(), "scenario.json")
	save := func(change string) {
		t.Helper()
		stdout := succeeds(t, "", append([]string{"place", "--format", "scenario", "--what-if", change}, onNodes...)...)
		must.Do(t, os.WriteFile(file, []byte(stdout), 0o600))
	}
	availability := func(args ...string) (map[string]float64, string) {
		t.Helper()
		stdout, stderr, code := exec(t, "", append([]string{"simulate", "--from-placement", file}, args...)...)
		var got struct {
			Policies []struct {
				Controllers []struct {
					Name         string
					Class        string
					Availability float64
				}
			}
		}
		if err := json.Unmarshal([]byte(stdout), &got); err != nil {
			t.Fatal(err, stderr, code)
		}
		all := map[string]float64{}
		for _, c := range got.Policies[0].Controllers {
			all[c.Name+" "+c.Class] = c.Availability
		}
		return all, stderr
	}
	save("fail us")
	got, said := availability("--cluster", "us", "--horizon", "1000s")
	if got["web bronze"] != 0.25 || len(got) != 2 || !strings.Contains(said, "pods without a priority class get the service class bronze") {
		t.Errorf("%v\n%s", got, said)
	}
	save("drain us-1")
	got, _ = availability("--cluster", "us", "--class-of", "=gold")
	if got["web gold"] != 1 {
		t.Errorf("there is room on us-0, and web has %v", got)
	}
	complains(t, "", "several clusters; choose one: us, eu", "simulate", "--from-placement", file)
}

// Workloads and nodes of Kubernetes become controllers and hosts. Without the GPU of the tainted
// node, train never runs.
func TestSimulateManifests(t *testing.T) {
	t.Chdir("testdata/kubernetes")
	controllers := func(args ...string) string {
		t.Helper()
		stdout, stderr, code := exec(t, "", append([]string{"simulate", "--controllers", "shop.yaml", "--format", "text"}, args...)...)
		if code != statusPlaced && code != statusNotPlaced {
			t.Fatal(stderr)
		}
		return stdout
	}
	on := controllers("--hosts", "us.yaml", "--class-of", "=silver")
	for _, want := range []string{"web                  deployment   silver", "store                statefulset  silver", "4 controllers, 4 of them with the SLO met"} {
		if !strings.Contains(on, want) {
			t.Errorf("no %s in\n%s", want, on)
		}
	}
	_, said, _ := exec(t, "", "simulate", "--controllers", "near.yaml", "--hosts", "us.yaml", "--format", "text")
	for _, want := range []string{`such as those of "api"`, `such as those of "ledger", run on separate hosts in the simulation`} {
		if !strings.Contains(said, want) {
			t.Errorf("no %s in\n%s", want, said)
		}
	}
	if eu := controllers("--hosts", "eu.yaml"); !strings.Contains(eu, "4 controllers, 3 of them with the SLO met") {
		t.Errorf("no node of eu has two cores for train:\n%s", eu)
	}
}

// NAME=FILE means the file with that full name if it exists.
func TestFileWithAnEqualsSign(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/shop.dot"))(t)
	file := must.File(t, "a=b.dot", text)
	t.Chdir(filepath.Dir(file))
	succeeds(t, "", "convert", "a=b.dot")
	complains(t, "", "c.dot: no such file", "convert", "a=c.dot")
}
