// Command oracle generates random clusters and runs the code of the real Kubernetes on them, in its
// own process. It has three families of cases:
//
//   - workloads: kube-scheduler tries to place them. The oracle records whether some order
//     and choice of nodes places all pods, and the scheduler's message about the first pod
//     that it cannot place;
//   - dumps with pending pods, some with a nominated node: the oracle records the scheduler's
//     decisions and the pods that it preempts;
//   - drains of a node: the oracle records the answers of the API server's eviction handler, after
//     the disruption controller has computed the status of the budgets.
//
// It prints the cases as JSON. It omits cases that the API rejects or that are too large for an
// exhaustive search. With -ask it reads dumps, one per line, and prints the scheduler's decisions
// about their pending pods.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime/debug"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

func main() {
	count := flag.Int("cases", 500, "how many cases of each family to judge")
	from := flag.Uint64("from", 0, "the first seed")
	only := flag.Bool("ask", false, "read dumps instead of generating cases")
	flag.Parse()
	klog.SetLogger(klog.Logger{}) // discards all log messages
	out := json.NewEncoder(os.Stdout)
	if *only {
		for in := json.NewDecoder(os.Stdin); in.More(); {
			var dump json.RawMessage
			stopOn(in.Decode(&dump))
			pods, err := ask(dump)
			stopOn(err)
			stopOn(out.Encode(pods))
		}
		return
	}
	all := judged{Scheduler: version()}
	all.Cases = family(*count, *from, func(seed uint64) (*verdict, error) {
		r := newRandom(seed)
		placed, words, err := judge(r)
		return &verdict{nameOf(seed), placed, words, r.nodes, r.workloads}, err
	})
	all.Pending = family(*count, *from, func(seed uint64) (*asked, error) {
		dump := newPending(seed)
		pods, err := ask([]byte(dump))
		return &asked{nameOf(seed), json.RawMessage(dump), pods}, err
	})
	all.Drains = family(*count, *from, func(seed uint64) (*drained, error) {
		d, err := drainOf(newEvictions(seed))
		if err == nil {
			d.Case = nameOf(seed)
		}
		return d, err
	})
	stopOn(out.Encode(all))
}

func nameOf(seed uint64) string { return fmt.Sprint("seed-", seed) }

func stopOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// family judges count cases of a family, with consecutive seeds from the given one. It skips cases
// that judge omits.
func family[T any](count int, from uint64, judge func(seed uint64) (*T, error)) (all []*T) {
	for seed := from; len(all) < count; seed++ {
		one, err := judge(seed)
		if errors.Is(err, errLeftOut) {
			continue
		}
		if err != nil {
			err = fmt.Errorf("seed %d: %w", seed, err)
		}
		stopOn(err)
		all = append(all, one)
	}
	return all
}

// judged is the output: all cases with the verdicts of one version of Kubernetes.
type judged struct {
	Scheduler string     `json:"scheduler"`
	Cases     []*verdict `json:"cases"`
	Pending   []*asked   `json:"pending"`
	Drains    []*drained `json:"drains"`
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
