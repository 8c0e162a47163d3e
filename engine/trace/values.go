package trace

import "berth/engine/workload"

// values reads the fields of foreign tables.
type values struct{ workload.Values }

// second is one in nanoseconds.
const second = 1e9
