package readers_test

import (
	"testing"

	_ "berth/engine/parquet"
)

// A table in Parquet is read as its CSV would be.
func TestParquet(t *testing.T) {
	const want = "jobs 3 tasks 3 requests 3"
	if got, err := counts("testdata/opendc.parquet", want); err != nil || got != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
}
