package trace

import "berth/engine/input/workload"

// values parses the fields of foreign tables.
type values struct{ workload.Values }

// second is one second in nanoseconds.
const second = 1e9
