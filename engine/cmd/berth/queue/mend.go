package queue

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"berth/engine/study"
)

// Mend looks for results that the store knows and cannot read, since bytes of its files
// have changed, and returns how many there are. What is written behind such bytes is lost
// as well, so the readable results move to a new bucket. It is for a store of one
// process: nothing else may use the queue meanwhile.
func (q *Queue) Mend(ctx context.Context) (damaged int, err error) {
	bucket := q.results.Bucket()
	results, err := q.js.Stream(ctx, "KV_"+bucket)
	if err != nil {
		return 0, err
	}
	info, err := results.Info(ctx, jetstream.WithSubjectFilter(">"))
	if err != nil {
		return 0, err
	}
	sound := map[string]*study.Result{}
	for subject := range info.State.Subjects {
		hash := strings.TrimPrefix(subject, "$KV."+bucket+".")
		r, err := q.Result(ctx, hash)
		if err != nil {
			return 0, err
		}
		if r == nil {
			damaged++
		} else {
			sound[hash] = r
		}
	}
	if damaged == 0 {
		return 0, nil
	}
	if err := q.js.DeleteKeyValue(ctx, bucket); err != nil {
		return 0, err
	}
	if err := q.openResults(ctx); err != nil {
		return 0, err
	}
	for hash, r := range sound {
		data, err := json.Marshal(r)
		if err == nil {
			_, err = q.results.Put(ctx, hash, data)
		}
		if err != nil {
			return 0, err
		}
	}
	return damaged, nil
}

func (q *Queue) openResults(ctx context.Context) (err error) {
	q.results, err = q.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: "berth-results-" + q.version, Storage: jetstream.FileStorage})
	return err
}
