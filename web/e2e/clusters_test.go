package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"berth/engine/golden"
	"berth/engine/input/format"
	_ "berth/engine/kinds"
	"berth/engine/must"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/engine/show"
)

// of a cluster as kubectl is asked for it.
const (
	clusterNodes       = 100
	clusterDeployments = 50
	clusterReplicas    = 40
	clusterAgents      = 500 // pods of a DaemonSet, five per node
)

// kubectl is the output of kubectl get nodes,pods,deployments,services -o yaml for a cluster of 100
// nodes and 2,500 pods.
func kubectl(cluster string) string {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: List\nitems:\n")
	for n := range clusterNodes {
		taints := ""
		if n == 0 {
			taints = "    taints:\n    - effect: NoSchedule\n      key: dedicated\n      value: builds\n"
		}
		fmt.Fprintf(&b, "- apiVersion: v1\n  kind: Node\n  metadata:\n    name: %[1]s-%[2]d\n    labels:\n      kubernetes.io/hostname: %[1]s-%[2]d\n      topology.kubernetes.io/zone: %[1]s-%[3]d\n  spec:\n    podCIDR: 10.0.%[2]d.0/24\n%[4]s  status:\n    allocatable:\n      cpu: \"8\"\n      ephemeral-storage: \"94477937300\"\n      memory: 32Gi\n      pods: \"110\"\n    conditions:\n    - status: \"True\"\n      type: Ready\n", cluster, n, n%3, taints)
	}
	pod := func(i int, name, owner, kind, cpu string) {
		fmt.Fprintf(&b, "- apiVersion: v1\n  kind: Pod\n  metadata:\n    labels:\n      app: %[2]s\n      pod-template-hash: 7d9f8b6c5\n    name: %[2]s-%[1]d\n    namespace: default\n    ownerReferences:\n    - apiVersion: apps/v1\n      blockOwnerDeletion: true\n      controller: true\n      kind: %[4]s\n      name: %[3]s\n  spec:\n    containers:\n    - image: registry.example/%[2]s:1.4.2\n      imagePullPolicy: IfNotPresent\n      name: %[2]s\n      ports:\n      - containerPort: 8080\n        protocol: TCP\n      resources:\n        limits:\n          cpu: 500m\n          memory: 512Mi\n        requests:\n          cpu: %[5]s\n          memory: 256Mi\n      terminationMessagePath: /dev/termination-log\n      volumeMounts:\n      - mountPath: /var/run/secrets/kubernetes.io/serviceaccount\n        name: kube-api-access\n        readOnly: true\n    dnsPolicy: ClusterFirst\n    enableServiceLinks: true\n    nodeName: %[6]s-%[7]d\n    preemptionPolicy: PreemptLowerPriority\n    priority: 0\n    restartPolicy: Always\n    schedulerName: default-scheduler\n    serviceAccountName: default\n    terminationGracePeriodSeconds: 30\n    tolerations:\n    - effect: NoExecute\n      key: node.kubernetes.io/not-ready\n      operator: Exists\n      tolerationSeconds: 300\n    volumes:\n    - name: kube-api-access\n      projected:\n        defaultMode: 420\n        sources:\n        - configMap:\n            name: kube-root-ca.crt\n  status:\n    phase: Running\n    podIP: 10.0.%[7]d.%[8]d\n    qosClass: Burstable\n",
			i, name, owner, kind, cpu, cluster, i%(clusterNodes-1)+1, i/clusterNodes+2)
	}
	for d := range clusterDeployments {
		name := fmt.Sprintf("%s-app-%d", cluster, d)
		for r := range clusterReplicas {
			pod(d*clusterReplicas+r, name, name+"-7d9f8b6c5", "ReplicaSet", "250m")
		}
	}
	for i := range clusterAgents {
		pod(i, cluster+"-agent", cluster+"-agent", "DaemonSet", "50m")
	}
	for d := range clusterDeployments {
		name, env := fmt.Sprintf("%s-app-%d", cluster, d), ""
		if d > 0 {
			env = fmt.Sprintf("          env:\n          - name: UPSTREAM\n            value: http://%s-app-%d:8080/api\n", cluster, d/2)
		}
		fmt.Fprintf(&b, "- apiVersion: apps/v1\n  kind: Deployment\n  metadata:\n    name: %[1]s\n    namespace: default\n  spec:\n    replicas: %[2]d\n    selector:\n      matchLabels:\n        app: %[1]s\n    template:\n      metadata:\n        labels:\n          app: %[1]s\n      spec:\n        containers:\n        - image: registry.example/%[1]s:1.4.2\n          name: %[1]s\n%[3]s          resources:\n            limits:\n              cpu: 500m\n              memory: 512Mi\n            requests:\n              cpu: 250m\n              memory: 256Mi\n", name, clusterReplicas, env)
		fmt.Fprintf(&b, "- apiVersion: v1\n  kind: Service\n  metadata:\n    name: %[1]s\n    namespace: default\n  spec:\n    ports:\n    - port: 8080\n    selector:\n      app: %[1]s\n", name)
	}
	return b.String()
}

func TestClustersOfKubernetes(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	open(t, "/").journey(twoClustersOfKubectl, aDumpOpensOnItsNodes, networkIsDropped, muchMemoryIsAskedFor, manifestsInQoS)
}

// A user drops kubectl's output for two clusters and their prices: the page shows a
// placement with reasons, and after two clicks the moves of a drain.
func twoClustersOfKubectl(t *testing.T, p *tab) {
	texts := map[string]string{
		"east.yaml": kubectl("east"), "west.yaml": kubectl("west"),
		"prices.dot": "graph { east [cpu_cost=0.02]; west [cpu_cost=0.03]; east -- west [latency=30, latency_cost=1] }",
	}
	source := func(name, called string) placementkind.GraphSource {
		return placementkind.GraphSource{Name: called, Text: texts[name]}
	}
	want := example(t, "shop")
	want.Name = ""
	d := placementkind.Of(want)
	d.Federation = source("east.yaml", "east.yaml")
	d.Federations = []placementkind.GraphSource{source("west.yaml", "west.yaml"), source("prices.dot", "prices.dot")}
	d.Deployments = []placementkind.GraphSource{source("east.yaml", "east-workloads.yaml"), source("west.yaml", "west-workloads.yaml")}

	p.shop()
	for _, name := range []string{"east.yaml", "west.yaml", "prices.dot"} {
		p.drop(must.File(t, name, texts[name]))
		p.waitForText("#placement-input", name)
	}
	p.wantResult(want)
	p.waitForText(testID("explain"), "on cluster")
	p.waitForText(testID("clusters"), "100 nodes")
	p.screenshot("clusters-kubectl")

	p.click(testID("clusters") + " tbody button")
	p.waitForText(testID("nodes"), "dedicated=builds:NoSchedule")
	p.waitForText(testID("nodes"), "100 of 100 nodes take pods")
	p.screenshot("clusters-nodes")
	p.click(testID("nodes-table") + " tbody tr:nth-child(2) button")
	d.WhatIf = []string{"drain east/east-1"}
	drained := p.wantResult(want)
	x := placementkind.ReportOf(drained).Strategies[0].WhatIf
	p.waitForText(testID("what-if-diff"), fmt.Sprintf("cost %s → %s", show.Money(x.Before.Total), show.Money(x.After.Total)))
	p.waitForText(testID("nodes"), "99 of 100 nodes take pods")
	p.accessible("clusters")
}

// A dump without a deployment opens with its nodes. A press drains one, Escape reverts that, and a
// zone fails.
func aDumpOpensOnItsNodes(t *testing.T, p *tab) {
	p.shop()
	dump := must.Get(os.ReadFile(filepath.Join(repository, "examples", "kubernetes", "on-call.yaml")))(t)
	p.drop(must.File(t, "on-call.yaml", string(dump)))
	node := func(name string) string { return testID("cluster-node") + `[data-node="` + name + `"]` }
	p.waitForText(testID("headline"), "2 pods stay pending: ")
	p.waitForText("footer", "2 pods stay pending: ")
	if nodes, waiting := p.count(testID("cluster-node")), p.count(testID("pending-workload")); nodes != 4 || waiting != 2 {
		t.Errorf("%d nodes and %d workloads that wait, want 4 and 2", nodes, waiting)
	}
	p.click(testID("stage-toggle"))
	p.wait(testID("stage"))
	if share := eval[float64](p, pictureShare); share < 0.45 {
		t.Errorf("the picture has %.0f %% of the window", 100*share)
	}
	p.screenshot("dump")
	p.click(node("n1"))
	p.waitForText(testID("headline"), "The drain does not end: queue keeps 1 pod")
	p.waitForText(node("n3"), "+1 pod")
	p.waitForText(testID("cluster-answer-table"), "web-1")
	p.screenshot("dump-drained")
	p.accessible("dump-drained")
	p.press(kb.Escape)
	p.waitForText(testID("headline"), "2 pods stay pending: ")
	p.waitFor(`!document.querySelector(` + quote(node("n1")+`[aria-pressed="true"]`) + `)`)
	p.click(testID("fail-zone"))
	p.waitForText(testID("headline"), "If zone-a fails, 2 of 5 pods there find no other node")
	p.waitForText(node("n1"), "unreachable")
	p.click(testID("drain-back"))
	p.waitForText(testID("headline"), "2 pods stay pending: ")
	p.click(testID("stage-toggle"))
}

// The shop on three clusters opens with one click and gives the native result. The user can disable
// everything that Berth infers, and export all of it for kubectl.
func shopByItsManifests(t *testing.T, p *tab) {
	p.shop()
	shop, report := p.chooseExample("clusters")
	p.waitForText(testID("inferred-dependencies"), "10 of 10 in use")
	p.waitForText(testID("inferred-dependency"), "environment CATALOGUE_ADDRESS names catalogue")
	p.screenshot("clusters-shop")

	name, data := p.saved(func() { p.click(testID("export")); p.click(testID("export-karmada")) })
	if !strings.HasSuffix(name, ".karmada.yaml") || strings.Count(string(data), "kind: PropagationPolicy") == 0 {
		t.Errorf("%s has no policies: %.300s", name, data)
	}

	p.click(testID("inferred-dependency") + " input[type=checkbox]")
	fewer := example(t, "clusters")
	placementkind.Of(fewer).Inferred = []format.Choice{{From: "gateway", To: "catalogue", Off: true}}
	p.wantResult(fewer)
	p.waitForText(testID("inferred-dependencies"), "9 of 10 in use")
	p.pressNamed("Undo “switch gateway – catalogue”")
	p.wantResult(shop)

	p.click(testID("placement-table") + " tbody tr:nth-child(" + jobAt(t, report, "image-tagger") + ") button")
	p.waitForText(testID("explain"), "0/5 nodes are available: 5 Insufficient nvidia.com/gpu")
	p.screenshot("clusters-why")

	cluster := placementkind.ReportOf(report).Strategies[0].Deployments[0].Placement[0].Cluster
	p.click(fmt.Sprintf(`%s tbody tr:nth-child(%d) button`, testID("clusters"), 1+clusterAt(t, report, cluster)))
	p.waitForText(testID("nodes"), "Nodes of "+cluster)
	p.screenshot("clusters-shop-nodes")
	p.pick(testID("class-of"), "gold")
	p.click(testID("open-service"))
	p.wait(testID("qos-status") + `[data-state="done"]`)
	p.waitForText("#qos-input", "Controllers (")
}

// jobAt returns a job's row in the table of the first deployment.
func jobAt(t *testing.T, r *scenario.Report, job string) string {
	t.Helper()
	for i, a := range placementkind.ReportOf(r).Strategies[0].Deployments[0].Placement {
		if a.Job == job {
			return fmt.Sprint(i + 1)
		}
	}
	t.Fatalf("there is no job %s", job)
	return ""
}

func clusterAt(t *testing.T, r *scenario.Report, cluster string) int {
	t.Helper()
	for i, c := range placementkind.ReportOf(r).Strategies[0].Clusters {
		if c.Cluster == cluster {
			return i
		}
	}
	t.Fatalf("there is no cluster %s", cluster)
	return 0
}

// A pair opens as a comparison with the original shop, and the difference refers to it.
func failureAgainstThePinnedShop(_ *testing.T, p *tab) {
	p.shop()
	p.chooseExample("clusters-failure")
	p.waitForText(testID("what-if-diff"), "against the pinned result")
	p.waitForText(testID("what-if-left"), "gone")
	p.accessible("what if")
}

// A network in GraphML opens; an invalid one gives an error with its position.
func networkIsDropped(t *testing.T, p *tab) {
	p.shop()
	p.chooseExample("research-network")
	p.screenshot("clusters-network")
	p.openBroken(testID("file-deployment"), must.File(t, "broken.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: many\n  template: {spec: {containers: [{name: c, resources: {requests: {cpu: 1core}}}]}}\n"))
	p.click(testID("run"))
	p.waitForError("broken.yaml:")
	for _, words := range []string{"Deployment", "web", "cpu"} {
		p.waitForError(words)
	}
	p.takeFaults()
}

// QoS reads nodes and workloads as hosts and controllers.
func manifestsInQoS(t *testing.T, p *tab) {
	var files []string
	for _, name := range []string{"frankfurt.yaml", "shop.yaml"} {
		path := must.Get(filepath.Abs(filepath.Join(repository, "examples", "kubernetes", name)))(t)
		must.Get(os.Stat(path))(t)
		files = append(files, path)
	}
	p.validation()
	before := p.attribute(testID("qos-status"), "data-scenario")
	p.drop(files...)
	p.waitFor(fmt.Sprintf(`document.querySelector('[data-testid="qos-status"][data-state="done"]:not([data-scenario=%q])')`, before))
	p.waitForText("#qos-input", "frankfurt.yaml.csv")
	p.waitForText("#qos-input", "Controllers (12)")
}

// The page asks before it reads a file that may take much of the memory, whether or not
// the browser reports how much memory there is.
func muchMemoryIsAskedFor(t *testing.T, p *tab) {
	p.shop()
	nodes := kubectl("east") + strings.Repeat("# what kubectl also has to say\n", 400_000)
	file := must.File(t, "east.yaml", nodes)
	p.device("0.125")
	p.upload(testID("file-federation"), file)
	p.waitForText(testID("much-memory"), "Reading east.yaml may take")
	p.waitForText(testID("much-memory"), "This device has about")
	if strings.Contains(p.text("#placement-input"), "east.yaml") {
		t.Error("the file is taken before the answer")
	}
	p.screenshot("much-memory")
	p.accessible("much-memory")
	p.pressNamed("^Read it anyway$")
	p.waitForText("#placement-input", "east.yaml")
	p.waitFor(`!document.querySelector("[data-testid=much-memory]")`)

	p.device("undefined")
	p.upload(testID("file-federation"), must.File(t, "west.yaml", nodes))
	p.waitForText("#placement-input", "west.yaml")
}

// device makes the browser report this amount of memory, in GiB.
func (p *tab) device(gib string) {
	p.t.Helper()
	eval[any](p, `void Object.defineProperty(navigator, "deviceMemory", { value: `+gib+`, configurable: true })`)
}

// A user asks a cluster why a pod is pending, drains a node and steps through the decisions, prices
// the cluster, and searches nodes of a pool for the pending pod.
func TestAClusterIsAsked(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	p := open(t, "/placement")
	p.wait(done)
	const object = "---\napiVersion: v1\nkind: %s\nmetadata: {name: %s}\n%s\n"
	var dump strings.Builder
	for _, node := range []string{"n1", "n2"} {
		fmt.Fprintf(&dump, object, "Node", node, "status: {allocatable: {cpu: \"4\", memory: 16Gi, pods: \"10\"}}")
	}
	for pod, on := range map[string]string{"small": "n1", "other": "n1", "third": "n2"} {
		fmt.Fprintf(&dump, object, "Pod", pod, "spec: {nodeName: "+on+", containers: [{name: c, resources: {requests: {cpu: \"1\", memory: 1Gi}}}]}\nstatus: {phase: Running}")
	}
	fmt.Fprintf(&dump, object, "Pod", "large", "spec: {containers: [{name: c, resources: {requests: {cpu: \"6\", memory: 1Gi}}}]}")
	p.upload(testID("file-federation"), must.File(t, "eu.yaml", dump.String()))
	p.upload(testID("file-deployment"), must.File(t, "app.yaml",
		"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [{name: c, resources: {requests: {cpu: \"1\", memory: 1Gi}}}]}}}\n"))
	p.click(testID("run"))
	p.waitForText(testID("result-status"), "cost unknown: no prices")

	p.fill(testID("price-core")+`[data-cluster="eu"]`, "0.04")
	p.fill(testID("price-gib")+`[data-cluster="eu"]`, "0.005")
	p.press(kb.Tab)
	p.waitFor(fmt.Sprintf(`!document.querySelector(%q).textContent.includes("cost unknown")`, testID("result-status")))
	p.screenshot("cluster-prices")

	p.click(testID("what-if") + " summary")
	p.click(testID("ask-pending"))
	p.waitForText(testID("cluster-answer-table"), "Insufficient cpu")
	p.fill(testID("ask-node"), "n1")
	p.click(testID("ask-drain"))
	p.waitForText(testID("cluster-answer-table"), "n2")
	p.waitForText(testID("decisions-text"), "Decision 0 of 2")
	p.click(testID("decisions-next"))
	p.waitForText(testID("decisions-text"), "Decision 1 of 2")
	p.click(testID("decisions-play"))
	p.waitForText(testID("decisions-text"), "Decision 2 of 2")
	p.screenshot("cluster-decisions")

	p.click(testID("pool-add"))
	p.fill(testID("pool-cpu"), "8")
	p.press(kb.Tab)
	p.wait(testID("result-status") + `[data-state="done"]`)
	p.click(testID("ask-provision"))
	p.waitForText(testID("cluster-answer"), "pool-1")
	p.screenshot("cluster-pools")
	p.accessible("cluster-asked")
}
