package kube

// Resources are amounts by resource name in the scheduler's units: thousandths of a
// core for cpu, bytes or pieces for everything else.
type Resources map[string]int64

// The resources that every node has.
const (
	CPU     = "cpu"
	Memory  = "memory"
	Storage = "ephemeral-storage"
	Pods    = "pods" // maximum number of pods on the node
)

// Node is a node of a cluster, with the properties that kube-scheduler's decisions depend on.
type Node struct {
	Name        string
	Labels      map[string]string
	Taints      []Taint
	Allocatable Resources
	Cordoned    bool             // accepts only pods that tolerate the taint node.kubernetes.io/unschedulable
	Closed      string           // the scheduler's reason why it accepts no pods at all; "" if it accepts some
	Tolerated   bool             // some of the pods tolerate the reason for [Node.Shut], so its free resources count
	Images      map[string]int64 // sizes in bytes of the images on the node, by name
}

// Taint repels pods that do not tolerate it.
type Taint struct {
	Key    string `json:"key"`
	Value  string `json:"value,omitempty"`
	Effect string `json:"effect"`
}

// String returns key=value:effect.
func (t Taint) String() string {
	if t.Value != "" {
		return t.Key + "=" + t.Value + ":" + t.Effect
	}
	return t.Key + ":" + t.Effect
}

// Toleration matches taints. Operator is "Equal", "Exists" or "", which means
// "Equal". An empty effect matches all effects; an empty key with "Exists" matches
// all taints.
type Toleration struct {
	Key      string `yaml:"key,omitempty"`
	Operator string `yaml:"operator,omitempty"`
	Value    string `yaml:"value,omitempty"`
	Effect   string `yaml:"effect,omitempty"`
}

// Requirement is a condition on a label. Operators are In, NotIn, Exists and
// DoesNotExist; for nodes also Gt and Lt.
type Requirement struct {
	Key, Operator string
	Values        []string
}

// AffinityTerm is a node affinity term, which holds if all of its requirements on labels and
// fields hold. The only field is metadata.name.
type AffinityTerm struct{ Labels, Fields []Requirement }

// Selector selects objects by labels. An empty selector selects all objects, a nil
// one none.
type Selector []Requirement

// Near is a pod affinity or anti-affinity term about the pods that it selects, in some namespaces,
// on nodes in the same domain. Without Namespaces and Labelled it applies to the pod's own
// namespace.
type Near struct {
	Key        string // node label whose values are the domains; "": each node is a domain
	Selector   Selector
	Namespaces []string
	Labelled   Selector // also selects namespaces by their labels; nil: none
}

// Spread is a topology spread constraint: the counts of matching pods in the domains may differ by
// at most MaxSkew. With fewer than MinDomains domains, the lowest count is taken as 0.
type Spread struct {
	MaxSkew, MinDomains int
	Key                 string // node label whose values are the domains
	Selector            Selector
	IgnoreAffinity      bool // nodeAffinityPolicy Ignore: nodes excluded by the pod's node affinity count, too
	HonorTaints         bool // nodeTaintsPolicy Honor: nodes with taints that the pod does not tolerate do not count
	Lenient             bool // a default constraint of the scheduler: nodes without the label count, too
}

// Shape is the specification that pods of one kind share, with all fields that scheduling depends
// on.
type Shape struct {
	Namespace    string
	Namespaced   map[string]string // labels of the namespace, except the one with its name
	Labels       map[string]string
	Requests     Resources
	NodeSelector map[string]string
	Affinity     []AffinityTerm // at least one term must hold; nil: no constraint
	Tolerations  []Toleration
	With         []Near // required affinity: each term requires, in its domain, a pod that all terms select
	AntiAffinity []Near
	Spread       []Spread   // required: DoNotSchedule
	Ports        []Port     // host ports
	Uses         []Use      // volume claims
	Runtime      RuntimeUse // reference to a RuntimeClass in another file
	Limits       Resources
	Class        string            // the pod's priority class
	Ends         bool              // terminates by itself (activeDeadlineSeconds)
	Unsaid       map[string]string // by resource name of quotas: containers that do not specify that amount
	Forbidden    string            // API server's reason for rejecting the pods; "" if it admits them
	NodeName     string            // the only node to run on; "": any
	Prefers      *Preferences      // nil: no preferences
}

// Preferences determine the scheduler's scores of feasible nodes.
type Preferences struct {
	Nodes   []Weighted     // preferred node affinity
	Near    []WeightedNear // preferred affinity to other pods; anti-affinity has a negative weight
	Spread  []Spread       // topology spread with ScheduleAnyway
	Images  []string       // one per container
	Assumed [2]int64       // CPU and memory for scores, with default requests for containers without one
	Scored  [2]int64       // Assumed without pod-level resources: see [Shape.Assumed]
}

// Weighted is a term of preferred node affinity.
type Weighted struct {
	AffinityTerm
	Weight int64
}

// WeightedNear is a term of preferred affinity to other pods.
type WeightedNear struct {
	Near
	Weight int64
}

// Group is a number of pods with one shape. Name is the name of their workload.
type Group struct {
	Name     string
	Shape    *Shape
	Pods     int
	Priority int32 // pods with a higher priority are scheduled first and preempt others
	Polite   bool  // its pods never preempt
}

// Owner identifies the workload of a pod.
type Owner struct {
	Kind      string
	Namespace string
	Name      string
}

// Pod is a running or pending pod.
type Pod struct {
	Name     string
	Shape    *Shape // shared by the pods of a workload
	Owner    Owner  // for a pod without a controller, the pod itself
	Priority int32
	Polite   bool  // never preempts (preemptionPolicy Never)
	Created  int64 // Unix seconds; orders pods of equal priority in the queue
	Started  int64 // Unix seconds of its start on a node, which preemption compares; NotStarted if it has not started
	Ending   bool  // it is being deleted: it still uses its resources, but spread constraints ignore it
	Starting bool  // its containers have not started: phase Pending
	Unready  bool
	Local    bool     // it has emptyDir volumes, which are lost when the pod leaves its node
	Waits    string   // reason why one of its containers is waiting, such as "ImagePullBackOff"; "" for none
	Beyond   string   // why kube-scheduler does not decide about the pod; "" if it does
	Gates    []string // scheduling gates, which keep it out of the queue
	On       string   // name of its node; "" if pending
	Promised string   // name of the node on which the pending pod has preempted others (nominatedNodeName); "" for none
	Yields   bool     // it is being deleted because the scheduler preempted it

	class *class
	node  int // current node in a state; -1: none
}

// Namespace is the namespace of the pod.
func (p *Pod) Namespace() string { return p.Shape.Namespace }

// from returns the pod and the node that it leaves.
func (p *Pod) from(node string) PodOnNode { return PodOnNode{p.Name, p.Namespace(), node} }

// Cluster is the state of a cluster at one moment.
type Cluster struct {
	Name    string
	Nodes   []Node
	Pods    []*Pod   // running and pending pods; a placement of jobs ignores the pending ones
	Daemons []Daemon // DaemonSets; each runs a pod on every node that accepts it
	Evicted []Group  // pods that have lost their nodes and must be placed in this cluster
	Budgets []*Budget
	Absent  []Absent
	Asked   bool // the dump includes the answer about PodDisruptionBudgets, so an empty list means that there are none
	Objects
}

// Daemon is a DaemonSet. One of its pods occupies each node that accepts the shape.
type Daemon struct {
	Owner Owner
	Shape *Shape
}
