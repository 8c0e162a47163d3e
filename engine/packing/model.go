package packing

// Resources are amounts by the name of the resource, in what the scheduler counts
// in: cpu in thousandths, everything else in whole units (bytes, pieces).
type Resources map[string]int64

// The resources that every node has.
const (
	CPU     = "cpu"
	Memory  = "memory"
	Storage = "ephemeral-storage"
	Pods    = "pods" // how many pods a node takes
)

// Node is a host of a cluster.
type Node struct {
	Name        string
	Labels      map[string]string
	Taints      []Taint
	Allocatable Resources
	Cordoned    bool             // takes only pods that tolerate the taint of nodes that are unschedulable
	Closed      string           // why it takes no pod at all, in the words of the scheduler; "" if it does
	Tolerated   bool             // of one that is [Node.Shut]: some pods in question tolerate that, so its room counts
	Images      map[string]int64 // that it has, by name: their size in bytes
}

// Taint keeps pods that do not tolerate it off a node.
type Taint struct {
	Key    string `json:"key"`
	Value  string `json:"value,omitempty"`
	Effect string `json:"effect"`
}

// String writes key=value:effect.
func (t Taint) String() string {
	if t.Value != "" {
		return t.Key + "=" + t.Value + ":" + t.Effect
	}
	return t.Key + ":" + t.Effect
}

// Toleration is what a pod says to taints. Operator is "Equal", "Exists" or "",
// which is Equal; an empty effect is all effects, an empty key with Exists all
// taints.
type Toleration struct{ Key, Operator, Value, Effect string }

// Requirement compares a label. Operators are In, NotIn, Exists, DoesNotExist and,
// of nodes, Gt and Lt.
type Requirement struct {
	Key, Operator string
	Values        []string
}

// Term is a part of a node affinity: all its requirements hold, those on labels and
// those on fields. metadata.name is the only field.
type Term struct{ Labels, Fields []Requirement }

// Selector chooses pods by their labels; one without requirements chooses all,
// and nil none.
type Selector []Requirement

// Near is a required affinity or anti-affinity to the pods of some namespaces that
// a selector chooses: those on nodes of the same domain. Without namespaces it is
// the pod's own.
type Near struct {
	Key        string // of the label of nodes whose values are the domains; "": each node is one
	Selector   Selector
	Namespaces []string
	Labelled   Selector // namespaces whose labels it chooses count as well; nil: none do
}

// Spread is a topology spread constraint with DoNotSchedule.
type Spread struct {
	MaxSkew, MinDomains int
	Key                 string // of the label of nodes whose values are the domains
	Selector            Selector
	IgnoreAffinity      bool // nodes that the pod cannot be on for its affinity count too
	HonorTaints         bool // nodes whose taints it does not tolerate do not count
	Lenient             bool // of a preferred one: nodes without the label count all the same
}

// Shape is what pods of one kind have in common.
type Shape struct {
	Namespace    string
	Namespaced   map[string]string // labels of the namespace, without that of its name
	Labels       map[string]string
	Requests     Resources
	NodeSelector map[string]string
	Affinity     []Term // one of them holds; nil: there is no affinity
	Tolerations  []Toleration
	With         []Near // affinity: of pods that all of them choose, each wants one in its domain
	AntiAffinity []Near
	Spread       []Spread
	Ports        []Port     // of the node that it takes
	Uses         []Use      // claims of volumes
	Runtime      RuntimeUse // of a class that is to be found in another file
	Limits       Resources
	Class        string            // its priority class
	Ends         bool              // by itself, after some time
	Unsaid       map[string]string // containers that leave an amount out, by its name in quotas
	Forbidden    string            // why a cluster admits no such pod; "" if it does
	NodeName     string            // the only node that it runs on; "": any
	Prefers      *Preferences      // nil: nothing
}

// Preferences are what the scheduler goes by where several nodes take a pod.
type Preferences struct {
	Nodes   []Weighted     // preferred node affinity
	Near    []WeightedNear // preferred affinity to other pods, and anti-affinity with a weight below 0
	Spread  []Spread       // topology spread with ScheduleAnyway
	Images  []string       // one a container
	Assumed [2]int64       // CPU and memory as scores count them, which assume some where a container asks for none
}

// Weighted is a term of preferred node affinity.
type Weighted struct {
	Term
	Weight int64
}

// WeightedNear is a term of preferred affinity to other pods.
type WeightedNear struct {
	Near
	Weight int64
}

// Group is a number of pods of one shape. Name is whose they are.
type Group struct {
	Name  string
	Shape *Shape
	Pods  int
}

// Owner names the job that a pod belongs to.
type Owner struct{ Kind, Namespace, Name string }

// Running is a pod that is on a node.
type Running struct {
	Name  string
	Shape *Shape
	Node  int   // index in Cluster.Nodes
	Owner Owner // of a bare pod it is the pod itself
	Ends  bool  // it is being deleted: it takes its room, and no spread counts it
}

// Cluster has nodes and what runs on them.
type Cluster struct {
	Name    string
	Nodes   []Node
	Running []Running
	Daemons []Daemon // run on every node that takes them
	Evicted []Group  // pods that have lost their node and must find another in this cluster
	Objects
}

// Daemon is a pod that stands once on every node that takes it.
type Daemon struct {
	Owner Owner
	Shape *Shape
}
