package placement

// CoreKind says what a member of a core is.
type CoreKind string

const (
	CoreJob        CoreKind = "job"        // and what it requests
	CoreCluster    CoreKind = "cluster"    // and what it has
	CoreRange      CoreKind = "range"      // what a cluster takes of one job: its limit range
	CoreDependency CoreKind = "dependency" // between two jobs, with its bounds
)

// CoreMember is one of the jobs, clusters and constraints that cannot hold
// together.
type CoreMember struct {
	Kind  CoreKind
	Index int // of the job, cluster or dependency
	Text  string
}
