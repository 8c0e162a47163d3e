package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/scenario"
)

// These inputs once revealed mistakes of Berth. Each has the placement, or the reason why there is
// none, and the fields that are not honoured.
func TestFaultsOfKubernetes(t *testing.T) {
	folder := filepath.Join(golden.Data(t), "faults/kubernetes")
	zones := "k-nodes.yaml --federation zp.dot --cluster-by zone"
	two := "a=n1.yaml --federation b=n3.yaml --federation t05.dot"
	for _, test := range []struct {
		federation, deployment string
		want                   string // the placement or a part of the reason
		unhonoured             string // fields that are not honoured, by their last name
	}{
		{"cordon-nodes.yaml", "cordon.yaml", "web=cordon-nodes", ""},
		{"hostport-nodes.yaml", "hostport.yaml", "1 node(s) didn't have free ports for the requested pod ports.", ""},
		{"k-nodes.yaml --cluster-by zone", "k-anti2.yaml", "a=za standby=zc", ""},
		{zones, "k-rack.yaml", "web#1=za web#2=zb web#3=zc", ""},
		{zones, "k-spread.yaml", "web#1=za web#2=zb web#3=zc", ""},
		{"kar.yaml --federation kpr.dot", "kp.yaml", "no cluster can take job db#2", ""},
		{"n1.yaml", "lost.yaml", "web=n1", ""},
		{"n1.yaml", "podlevel.yaml", "0/1 nodes are available: 1 Insufficient cpu.", ""},
		{"pv/nodes.yaml", "pv/dep.yaml", "3 node(s) didn't match PersistentVolume's node affinity.", ""},
		{"greedy-two/nodes.yaml", "greedy-two/dep.yaml", "a=nodes b=nodes", ""},
		{"n1.yaml", "t01.yaml", "1 node(s) didn't have free ports for the requested pod ports. 1 of 3 pods fit.", ""},
		{"n1.yaml", "t01b.yaml", "1 node(s) didn't have free ports for the requested pod ports. 1 of 3 pods fit.", ""},
		{"n1.yaml", "t03.yaml", `pods "web" is forbidden: exceeded quota: q`, ""},
		{"n1.yaml", "t04.yaml", "1 Insufficient cpu. 4 of 20 pods fit.", ""},
		{two, "t05.yaml", "web=b", ""},
		{two, "t05b.yaml", "web#1=a web#2=a web#3=b web#4=b web#5=b web#6=b", "dynamicWeight"},
		{two, "t05c.yaml", "web#1=a web#2=a web#3=b web#4=b web#5=b web#6=b web#7=b web#8=b", "dynamicWeight"},
		{"n1.yaml", "t06.yaml", "old=n1 web=n1", ""},
		{"t07n.yaml", "t07.yaml", "job=t07n", ""},
		{"t08n.yaml", "t08.yaml", "1 Insufficient cpu.", ""},
		{"n1.yaml", "t09.yaml", "1 node(s) didn't match the requested node name.", "nodeName"},
		{"n1.yaml", "t10.yaml", "web=n1", "schedulingGates"},
		{"n1.yaml", "t11.yaml", "web=n1", "resourceClaims"},
		{"t12n.yaml", "t12.yaml", "web=t12n", ""},
		{"t13n.yaml", "t13.yaml", "web=t13n", ""},
		{"n1.yaml", "t15.yaml", "web=n1", "schedulerName"},
		{"n1.yaml", "t16.yaml", "1 node(s) didn't match Pod's node affinity/selector.", ""},
		{"t17n.yaml", "t17.yaml", "web=t17n", ""},
		{"n1.yaml", "t18.yaml", `pods "web" is forbidden: maximum cpu usage per Container is 500m, but request is 1.`, ""},
		{"t19n.yaml", "t19.yaml", "web=t19n", ""},
		{"t20n.yaml", "t19.yaml", "web=t20n", ""},
	} {
		words := strings.Fields("place --federation " + test.federation + " --deployment " + test.deployment)
		for i, word := range words {
			if name, file, named := strings.Cut(word, "="); named {
				words[i] = name + "=" + filepath.Join(folder, file)
			} else if strings.HasSuffix(word, ".yaml") || strings.HasSuffix(word, ".dot") {
				words[i] = filepath.Join(folder, word)
			}
		}
		stdout, stderr, _ := exec(t, "", words...)
		var got struct{ Deployments []outcome }
		if json.Unmarshal([]byte(stdout), &got) != nil || len(got.Deployments) != 1 {
			t.Errorf("%s: %s", test.deployment, stderr)
			continue
		}
		one := got.Deployments[0]
		if said := one.places(); one.Placement != nil && said != test.want || one.Placement == nil && !strings.Contains(one.Reason, test.want) {
			t.Errorf("%s: %s%s, want %s", test.deployment, said, one.Reason, test.want)
		}
		var fields []string
		for _, u := range one.Unhonoured {
			fields = append(fields, u.Field[strings.LastIndexByte(u.Field, '.')+1:])
		}
		if got := strings.Join(fields, " "); got != test.unhonoured {
			t.Errorf("%s: not honoured are %q, want %q", test.deployment, got, test.unhonoured)
		}
	}
	if stdout, _, code := exec(t, "", "pending", filepath.Join(folder, "pend.yaml")); code != statusNotPlaced || !strings.Contains(stdout, "b-1 stays pending: 0/2 nodes are available: 2 Insufficient cpu.") {
		t.Errorf("pending: status %d, %s", code, stdout)
	}
}

// places describes a placement by job: a=eu b=us.
func (o *outcome) places() string {
	var all []string
	for _, job := range slices.Sorted(maps.Keys(o.Placement)) {
		all = append(all, job+"="+o.Placement[job])
	}
	return strings.Join(all, " ")
}

// The limit on values of aliases applies to all texts of a load together, from files or from a
// link.
func TestAliasesAreBounded(t *testing.T) {
	data := golden.Data(t)
	const refusal = "1000000 values that aliases stand for together"
	nodes, bombs := filepath.Join(data, "faults/kubernetes/n1.yaml"), filepath.Join(data, "faults/safety/yaml-many-alias-bombs-5docs.yaml")
	one := filepath.Join(data, "faults/safety/yaml-many-alias-bombs-1docs.yaml")
	complains(t, "", refusal, "place", "--federation", nodes, "--deployment", bombs)
	args := []string{"place", "--federation", nodes}
	for range 3 {
		args = append(args, "--deployment", one)
	}
	complains(t, "", refusal, args...)
	link := must.Get(os.ReadFile(filepath.Join(data, "faults/safety/yaml-bomb-link.txt")))(t)
	s := must.Get(scenario.DecodeLink(strings.TrimSpace(string(link))))(t)
	_, err := scenario.Prepare(t.Context(), s, scenario.Env{})
	if err == nil || !strings.Contains(err.Error(), refusal) {
		t.Errorf("a link: %v", err)
	}
}
