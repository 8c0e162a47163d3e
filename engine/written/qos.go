package written

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"go.starlark.net/starlark"

	"berth/engine/cluster"
	"berth/engine/parameter"
	"berth/engine/plugin"
	"berth/engine/policy"
	"berth/engine/qos"
	"berth/engine/script"
	"berth/engine/sim"
)

var qosLaboratory = Laboratory{
	Kind: "qos",
	Functions: []Function{
		{"queue", []string{"request", "now"}, "The key of a request that waits: the request with the smallest is tried first. Without it, requests are tried in the order of their admission."},
		{"may_preempt", []string{"request", "victim", "now"}, "`True` if the victim may lose its host to the request; `refuse(\"…\")` says why not. Without it, nothing is preempted."},
		{"victim_order", []string{"victim", "now"}, "The key of an instance that may lose its host: the instance with the smallest goes first. Without it, the latest admitted goes first."},
		{"host", []string{"request", "host", "victims", "now"}, "The key of a host that has room for the request once the victims have left it: the host with the smallest takes the request. `None` or `refuse(\"…\")` refuses the host. Without it, hosts that need no preemption come first, then those with the fewest victims; of equal hosts, the one with the highest score."},
	},
	Settings: []Setting{{"watchdog", "`False` for a policy whose decisions do not change with time alone: waiting requests are tried again only when a request arrives or ends. The default is `True`: they are also tried again when the scenario’s watchdog time has passed."}},
	Types:    []TypeReference{referenceOf(requestType), referenceOf(hostType)},
}

func qosPlugin(t policy.Text) (qos.Plugin, error) {
	program, err := qosLaboratory.compile(t)
	if err != nil {
		return qos.Plugin{}, err
	}
	watchdog, err := program.Flag("watchdog", true)
	return qos.Plugin{
		Name: t.Name, Title: t.Name, Description: "a policy that is written as text",
		New: func(parameter.Values) qos.Policy {
			r := &decisions{program: program}
			p := qos.Policy{
				Name: t.Name, Watchdog: watchdog, Before: r.before, MayPreempt: r.mayPreempt, VictimBefore: r.victimBefore,
				Cost: fewestInAll, Terms: r.terms, Kept: r.kept, Score: cluster.Score,
				Failed: r.failed, Own: r.own, Tell: func(*qos.State, qos.Ref, []qos.Victim, *plugin.Own) { r.moves++ },
			}
			if program.Defines("host") {
				p.Host = r.host
			}
			return p
		},
	}, err
}

// decisions is a run of a text in a simulation. It restarts when a call passes the state of another
// simulation.
type decisions struct {
	program *script.Program

	state *qos.State
	call  *script.Call
	err   error // error on starting the run

	moves         uint64 // number of decisions so far; each may change the keys
	queue, victim keys
	preempt, to   *script.Function
	known         [][]permission // verdicts by class of the request and of the victim, if may_preempt depends only on these classes; otherwise nil
	length        int            // length of the keys of hosts
}

// permission is the answer of may_preempt; asked is false until the function has been called.
type permission struct {
	asked, may bool
	why        string
}

// on starts a run if s is not the state of the current one.
func (r *decisions) on(s *qos.State) {
	if r.state == s {
		return
	}
	call, f, err := qosLaboratory.begin(s.Context(), r.program)
	*r = decisions{
		program: r.program, state: s, call: call, err: err,
		queue: keys{of: f["queue"]}, victim: keys{of: f["victim_order"]}, preempt: f["may_preempt"], to: f["host"],
	}
}

func (r *decisions) failed() error {
	if r.err != nil || r.call == nil {
		return r.err
	}
	return r.call.Err()
}

func (r *decisions) own() *plugin.Own {
	if r.call == nil {
		return &plugin.Own{}
	}
	return &r.call.Own
}

// keys caches the keys that a function returns for requests.
type keys struct {
	of      *script.Function
	byRef   []stamped
	byClass map[int][]float64 // by class: keys, if the function depends on nothing else
}

// stamped is a key that is valid at one time and number of decisions.
type stamped struct {
	now   sim.Milliseconds
	moves uint64
	known bool
	key   []float64
}

// keyOf returns the current key of a request.
func (r *decisions) keyOf(k *keys, ref qos.Ref) []float64 {
	class := r.state.Class(ref)
	if key, ok := k.byClass[class]; ok {
		return key
	}
	for int(ref) >= len(k.byRef) {
		k.byRef = append(k.byRef, stamped{})
	}
	at := &k.byRef[ref]
	if at.known && at.now == r.state.Now() && at.moves == r.moves {
		return at.key
	}
	of := r.about(ref)
	c := k.of.Begin()
	v, reusable := k.of.Call(of, r.request(c, ref), r.now())
	d := decide(k.of, of, v, at.key[:0])
	if d.refused {
		k.of.Wrong(of, noKey)
	}
	*at = stamped{r.state.Now(), r.moves, true, d.key}
	if reusable && !d.refused && !k.of.Uses(1) {
		if k.byClass == nil {
			k.byClass = map[int][]float64{}
		}
		k.byClass[class] = slices.Clone(d.key)
	}
	return d.key
}

func (r *decisions) now() starlark.Value { return starlark.Float(float64(r.state.Now()) / 1000) }

func (r *decisions) about(ref qos.Ref) fmt.Stringer {
	return numbered{"request", r.state.Index(ref) + 1}
}

func (r *decisions) before(s *qos.State, a, b qos.Ref) bool {
	r.on(s)
	if r.queue.of != nil && r.failed() == nil {
		if order := slices.Compare(r.keyOf(&r.queue, a), r.keyOf(&r.queue, b)); order != 0 {
			return order < 0
		}
	}
	return s.AdmittedBefore(a, b)
}

func (r *decisions) victimBefore(s *qos.State, a, b qos.Ref) bool {
	r.on(s)
	if r.victim.of == nil {
		return s.AdmittedBefore(b, a)
	}
	if r.failed() == nil {
		if order := slices.Compare(r.keyOf(&r.victim, a), r.keyOf(&r.victim, b)); order != 0 {
			return order < 0
		}
	}
	return s.TieBefore(a, b)
}

func (r *decisions) mayPreempt(s *qos.State, j, k qos.Ref) bool {
	r.on(s)
	return r.ask(j, k).may
}

// ask returns the policy's verdict on whether j may preempt k.
func (r *decisions) ask(j, k qos.Ref) permission {
	if r.preempt == nil || r.failed() != nil {
		return permission{}
	}
	class, victim := r.state.Class(j), r.state.Class(k)
	if class < len(r.known) && victim < len(r.known[class]) && r.known[class][victim].asked {
		return r.known[class][victim]
	}
	of := r.about(j)
	c := r.preempt.Begin()
	v, reusable := r.preempt.Call(of, r.request(c, j), r.request(c, k), r.now())
	answer := permission{asked: true}
	answer.may, answer.why = yes(r.preempt, of, v)
	if reusable && !r.preempt.Uses(2) {
		r.keep(class, victim, answer)
	}
	return answer
}

// keep caches a verdict for all requests of two classes.
func (r *decisions) keep(class, victim int, v permission) {
	r.known = append(r.known, make([][]permission, max(0, class+1-len(r.known)))...)
	of := &r.known[class]
	*of = append(*of, make([]permission, max(0, victim+1-len(*of)))...)
	(*of)[victim] = v
}

// keptWhy is the policy's reason to keep an instance on its host.
type keptWhy string

func (k keptWhy) String() string {
	if k == "" {
		return "may_preempt() says no"
	}
	return string(k)
}

func (r *decisions) kept(s *qos.State, j, k qos.Ref) fmt.Stringer {
	r.on(s)
	return keptWhy(r.ask(j, k).why)
}

func (r *decisions) host(s *qos.State, j qos.Ref, h int, victims []qos.Victim) (tuple []float64, ok bool) {
	r.on(s)
	if r.failed() != nil {
		return nil, false
	}
	of := r.about(j)
	c := r.to.Begin()
	leave := make(starlark.Tuple, len(victims))
	for i := range victims {
		leave[i] = r.request(c, victims[i].Ref)
	}
	v, _ := r.to.Call(of, r.request(c, j), hostType.Object(c, hostOf{s, h}), leave, r.now())
	d := decide(r.to, of, v, nil)
	if d.refused {
		return nil, false
	}
	r.length = cmp.Or(r.length, len(d.key))
	if len(d.key) != r.length {
		r.to.Wrong(of, otherKey, len(d.key), r.length)
		return nil, false
	}
	for i := range d.key {
		d.key[i] = 0 - d.key[i] // qos.Policy.Host prefers the largest tuple, texts the smallest
	}
	return d.key, true
}

// terms names the numbers in the keys of hosts.
func (r *decisions) terms([]qos.Class) []qos.Term {
	if r.length == 0 {
		return []qos.Term{{Name: "victims", Unit: "victims, negative"}}
	}
	all := make([]qos.Term, r.length)
	for i := range all {
		all[i] = qos.Term{Name: "key " + strconv.Itoa(i+1), Unit: "negative"}
	}
	return all
}

// fewestInAll is a cost that prefers hosts with fewer victims.
func fewestInAll(_ *qos.State, victims []qos.Victim, tuple []float64) []float64 {
	return append(tuple, -float64(len(victims)))
}

// requestOf is a request, or its instance on a host, as the text of a policy sees it.
type requestOf struct {
	*qos.State
	ref qos.Ref
}

func (r *decisions) request(c *script.Call, ref qos.Ref) starlark.Value {
	return requestType.Object(c, requestOf{r.state, ref})
}

func seconds(t sim.Milliseconds) (starlark.Value, error) { return float(float64(t) / 1000) }

var requestType = script.NewType("request", "A request, or the instance that runs for it. Times are in seconds.",
	script.ObjectAttribute[requestOf]{Name: "id", Help: "its number in order of arrival, from 0", Of: func(r requestOf) (starlark.Value, error) { return whole(r.Index(r.ref)) }},
	script.ObjectAttribute[requestOf]{Name: "job", Help: "the number of the job that it belongs to", Of: func(r requestOf) (starlark.Value, error) { return starlark.MakeInt64(r.Job(r.ref)), nil }},
	script.ObjectAttribute[requestOf]{Name: "class_name", Help: "the name of its class", Reads: script.ReadsKind, Of: func(r requestOf) (starlark.Value, error) { return text(r.ClassName(r.ref)) }},
	script.ObjectAttribute[requestOf]{Name: "importance", Help: "the level of its class: 1 is the most important", Reads: script.ReadsKind, Of: func(r requestOf) (starlark.Value, error) { return whole(r.Importance(r.ref)) }},
	script.ObjectAttribute[requestOf]{Name: "levels", Help: "how many levels of importance there are", Reads: script.ReadsKind, Of: func(r requestOf) (starlark.Value, error) { return whole(r.Levels()) }},
	script.ObjectAttribute[requestOf]{Name: "slo", Help: "the availability that its class is promised, up to 1", Reads: script.ReadsKind, Of: func(r requestOf) (starlark.Value, error) { return float(r.SLO(r.ref)) }},
	script.ObjectAttribute[requestOf]{Name: "limit", Help: "the limit of the preemption overhead of its class", Reads: script.ReadsKind, Of: func(r requestOf) (starlark.Value, error) { return float(r.Limit(r.ref)) }},
	script.ObjectAttribute[requestOf]{Name: "margin", Unit: "s", Help: "the safety margin φ of its class", Reads: script.ReadsKind, Of: func(r requestOf) (starlark.Value, error) { return float(r.Margin(r.ref).Seconds()) }},
	script.ObjectAttribute[requestOf]{Name: "time_to_violate", Unit: "s", Help: "Q: the time until its SLO is violated, less than 0 once it is", Of: func(r requestOf) (starlark.Value, error) { return float(r.Q(r.ref).Seconds()) }},
	script.ObjectAttribute[requestOf]{Name: "slack", Unit: "s", Help: "Q − φ: the time until it is below its margin", Of: func(r requestOf) (starlark.Value, error) { return float((r.Q(r.ref) - r.Margin(r.ref)).Seconds()) }},
	script.ObjectAttribute[requestOf]{Name: "availability", Help: "the part of the time since its admission in which it ran, 1 of a new one", Of: func(r requestOf) (starlark.Value, error) { return float(r.Availability(r.ref)) }},
	script.ObjectAttribute[requestOf]{Name: "admitted", Unit: "s", Help: "when it was admitted", Of: func(r requestOf) (starlark.Value, error) { return seconds(r.Admitted(r.ref)) }},
	script.ObjectAttribute[requestOf]{Name: "ran", Unit: "s", Help: "how long it has run", Of: func(r requestOf) (starlark.Value, error) { return seconds(r.Run(r.ref)) }},
	script.ObjectAttribute[requestOf]{Name: "waited", Unit: "s", Help: "how long it has waited", Of: func(r requestOf) (starlark.Value, error) { return seconds(r.Age(r.ref) - r.Run(r.ref)) }},
	script.ObjectAttribute[requestOf]{Name: "cpu", Unit: "cpu", Help: "what it asks for", Of: func(r requestOf) (starlark.Value, error) { return float(r.Asks(r.ref).CPU.Units()) }},
	script.ObjectAttribute[requestOf]{Name: "memory", Help: "what it asks for", Of: func(r requestOf) (starlark.Value, error) { return float(r.Asks(r.ref).Memory.Units()) }},
	script.ObjectAttribute[requestOf]{Name: "gpus", Help: "how many devices it asks for; less than 1 is a share of one", Of: func(r requestOf) (starlark.Value, error) { return float(r.Asks(r.ref).GPUs.Units()) }},
	script.ObjectAttribute[requestOf]{Name: "preemptions", Help: "how often it has lost its host", Of: func(r requestOf) (starlark.Value, error) { return whole(r.Preemptions(r.ref)) }},
	script.ObjectAttribute[requestOf]{Name: "protected", Help: "whether its preemption overhead is above the limit of its class", Of: func(r requestOf) (starlark.Value, error) { return boolean(r.Protected(r.ref)) }},
	script.ObjectAttribute[requestOf]{Name: "idle", Help: "whether it contributes nothing: all instances of its controller have to run at once, and one of them waits", Of: func(r requestOf) (starlark.Value, error) { return boolean(r.Idle(r.ref)) }},
)

// hostOf is a host before the decision, as the text of a policy sees it.
type hostOf struct {
	*qos.State
	host int
}

var hostType = script.NewType("host", "A host as it is before the decision: victims are still on it.",
	script.ObjectAttribute[hostOf]{Name: "id", Help: "its number, from 0", Of: func(h hostOf) (starlark.Value, error) { return whole(h.host) }},
	script.ObjectAttribute[hostOf]{Name: "cpu", Help: "what it has", Of: func(h hostOf) (starlark.Value, error) { return float(h.Room(h.host).All.CPU.Units()) }},
	script.ObjectAttribute[hostOf]{Name: "memory", Help: "what it has", Of: func(h hostOf) (starlark.Value, error) { return float(h.Room(h.host).All.Memory.Units()) }},
	script.ObjectAttribute[hostOf]{Name: "free_cpu", Help: "what is not allocated", Of: func(h hostOf) (starlark.Value, error) { return float(h.Room(h.host).Free.CPU.Units()) }},
	script.ObjectAttribute[hostOf]{Name: "free_memory", Help: "what is not allocated", Of: func(h hostOf) (starlark.Value, error) { return float(h.Room(h.host).Free.Memory.Units()) }},
	script.ObjectAttribute[hostOf]{Name: "free_gpus", Help: "how many whole devices are free", Of: func(h hostOf) (starlark.Value, error) { return float(h.Room(h.host).IdleGPUs().Units()) }},
	script.ObjectAttribute[hostOf]{Name: "score", Help: "the allocation score that the other policies prefer hosts by: higher is better", Of: func(h hostOf) (starlark.Value, error) { return float(h.Score(h.host)) }},
)
