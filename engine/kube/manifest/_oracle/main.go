// Command oracle generates random clusters with workloads and runs the real
// kube-scheduler on them in this process. It records whether some order and choice of
// nodes places all pods, and the scheduler's message about the first pod that it
// cannot place.
//
// It prints the cases as JSON. It omits cases that the API rejects or that are too
// large for an exhaustive search.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

func main() {
	count := flag.Int("cases", 500, "how many cases to judge")
	from := flag.Uint64("from", 0, "the first seed")
	flag.Parse()
	klog.SetOutput(io.Discard)
	klog.LogToStderr(false)
	all := judged{Scheduler: version()}
	for seed := *from; len(all.Cases) < *count; seed++ {
		r := newRandom(seed)
		placed, words, err := judge(r)
		if errors.Is(err, errLeftOut) {
			continue
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "seed %d: %v\n", seed, err)
			os.Exit(1)
		}
		all.Cases = append(all.Cases, verdict{fmt.Sprint("seed-", seed), placed, words, r.nodes, r.workloads})
	}
	if err := json.NewEncoder(os.Stdout).Encode(all); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// judged is a list of cases with the verdicts of one version of the scheduler.
type judged struct {
	Scheduler string    `json:"scheduler"`
	Cases     []verdict `json:"cases"`
}

// verdict is a case with its result: whether all pods can be placed, and the
// scheduler's message about the first one that it cannot place.
type verdict struct {
	Case       string `json:"case"`
	Placed     bool   `json:"placed"`
	Words      string `json:"words"`
	Nodes      string `json:"nodes"`
	Deployment string `json:"deployment"`
}

// version returns the version of the Kubernetes module.
func version() string {
	info, _ := debug.ReadBuildInfo()
	for _, m := range info.Deps {
		if m.Path == "k8s.io/kubernetes" {
			return m.Version
		}
	}
	return "unknown"
}

var errLeftOut = errors.New("this case is left out")

func judge(r random) (placed bool, words string, err error) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	cluster, err := decode(r.nodes)
	if err != nil {
		return false, "", err
	}
	workloads, err := decode(r.workloads)
	if err != nil {
		return false, "", err
	}
	jobs := jobsOf(workloads)
	for i := range jobs {
		if !admits(jobs[i].pod) {
			return false, "", errLeftOut
		}
	}
	s, err := newScheduler(ctx, cluster)
	if err != nil {
		return false, "", err
	}
	if words, err = s.inOrder(jobs); err != nil || words == "" {
		return words == "", words, err
	}
	placed, whole := s.inAnyOrder(jobs)
	if !whole {
		err = errLeftOut
	}
	return placed, words, err
}

// decode decodes a List of objects and sets defaults as the API server does.
func decode(text string) ([]runtime.Object, error) {
	var list struct{ Items []json.RawMessage }
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, err
	}
	var all []runtime.Object
	for _, item := range list.Items {
		o, _, err := legacyscheme.Codecs.UniversalDeserializer().Decode(item, nil, nil)
		if err != nil {
			return nil, err
		}
		legacyscheme.Scheme.Default(o)
		all = append(all, o)
	}
	return all, nil
}
