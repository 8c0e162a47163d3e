//go:build !unix

package growth

import (
	"testing"
	"time"
)

// clock returns the elapsed wall-clock time, because this system does not report processor time.
func clock(b *testing.B) time.Duration { return b.Elapsed() }
