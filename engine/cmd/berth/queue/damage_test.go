package queue

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"berth/engine/scenario"
	"berth/engine/scenario/scenariotest"
	"berth/engine/study"
)

// opened returns the queue of a folder, and what closes it.
func opened(t *testing.T, folder string) (*Queue, func()) {
	t.Helper()
	s, err := Embed(folder)
	if err != nil {
		t.Fatal(err)
	}
	nc, err := s.Connect()
	if err != nil {
		t.Fatal(err)
	}
	q, err := Open(t.Context(), nc)
	if err != nil {
		t.Fatal(err)
	}
	return q, func() { nc.Close(); s.Close() }
}

// Results whose bytes have changed in the store are none: their runs are carried out
// again at once, without a wait for workers that could be lost, and are kept.
func TestDamagedResultsAreFoundAtOnce(t *testing.T) {
	scenario.Register(scenariotest.Dice)
	folder := t.TempDir()
	q, stop := opened(t, folder)
	var hashes []string
	for i := range 40 {
		hashes = append(hashes, fmt.Sprintf("%04d", i))
		if err := q.Keep(t.Context(), hashes[i], study.Failed("dice", errors.New("kept before"))); err != nil {
			t.Fatal(err)
		}
	}
	stop()
	blocks, err := filepath.Glob(filepath.Join(folder, "jetstream/*/streams/KV_berth-results-*/msgs/*.blk"))
	if err != nil || len(blocks) != 1 {
		t.Fatalf("%v: the blocks are %v", err, blocks)
	}
	data, err := os.ReadFile(blocks[0])
	if err != nil {
		t.Fatal(err)
	}
	for k := range 4 {
		data[len(data)*(2*k+1)/8] ^= 0x55
	}
	if err := os.WriteFile(blocks[0], data, 0o666); err != nil {
		t.Fatal(err)
	}

	defer func(before time.Duration) { AckWait = before }(AckWait)
	AckWait = time.Hour // what is found only after that is not found here
	q, stop = opened(t, folder)
	defer stop()
	damaged, err := q.Mend(t.Context())
	if err != nil || damaged == 0 {
		t.Errorf("%v: %d damaged results are found", err, damaged)
	}
	if again, err := q.Mend(t.Context()); err != nil || again != 0 {
		t.Errorf("%v: %d damaged results are left", err, again)
	}
	ctx, end := context.WithCancel(t.Context())
	worked := make(chan error)
	go func() { worked <- q.Work(ctx, ctx, carry) }()
	known, carried := 0, 0
	err = q.Collect(ctx, hashes, func(hash string) (Task, error) {
		return Task{Hash: hash, Kind: "dice", Scenario: []byte(`{"version": 1, "kind": "dice", "dice": {"throws": 3}}`)}, nil
	}, func(_ string, _ *study.Result, there bool) {
		if there {
			known++
		} else {
			carried++
		}
	})
	end()
	if err := errors.Join(err, <-worked); err != nil || carried != damaged || known+carried != len(hashes) {
		t.Errorf("%v: %d results were known and %d runs carried out, of %d with %d damaged", err, known, carried, len(hashes), damaged)
	}
	for _, hash := range hashes {
		if r, err := q.Result(t.Context(), hash); r == nil || err != nil {
			t.Errorf("%s: the result is %v, %v", hash, r, err)
		}
	}
}
