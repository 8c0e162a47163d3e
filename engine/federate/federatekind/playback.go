package federatekind

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"berth/engine/federate"
	"berth/engine/workload"
)

// What can be played back at most.
const (
	MaxPlayedWorkers = 200
	MaxPlayedTasks   = 5000
	MaxPlayedRecords = 500_000
)

// PlaybackQuery asks for everything that happened under one scheduler, with the
// first seed at the first point of a sweep.
type PlaybackQuery struct {
	Scheduler string `json:"scheduler,omitempty"` // "" is the first one
}

// Playback is everything that happened in a small run, as columns. Masters,
// workers, tasks, jobs and users are numbered from 0, and −1 is none; times are
// in nanoseconds from the first arrival.
type Playback struct {
	Scheduler string `json:"scheduler"`
	// Masters are there under Megha and megha-1; Pigeon has
	// its groups as LMs, and no GM.
	GMs int `json:"gms"`
	LMs int `json:"lms"`
	// Cut says that more happened than MaxPlayedRecords; the rest is left out.
	Cut bool `json:"cut,omitempty"`

	GMOfUser   []int32 `json:"-"`
	GMOfWorker []int32 `json:"-"` // whose partition it is in
	LMOfWorker []int32 `json:"-"`

	// Of each task of the workload, in nanoseconds.
	Arrival  []int64 `json:"-"`
	Duration []int64 `json:"-"`
	Job      []int32 `json:"-"`
	User     []int32 `json:"-"`

	// Of each thing that happened, in order; see federate.Record. Times are in
	// nanoseconds.
	At     []int64 `json:"-"`
	Action []uint8 `json:"-"` // federate.Action
	Task   []int32 `json:"-"`
	Worker []int32 `json:"-"`
	Master []int32 `json:"-"`
}

// Playback runs a scheduler again and notes everything. Its error says so if
// that is too much to play back.
func (e *Prepared) Playback(ctx context.Context, q PlaybackQuery) (*Playback, error) {
	d, load, config, err := e.asked(q.Scheduler)
	if err != nil {
		return nil, err
	}
	if e.played != nil && e.played.Scheduler == d.Schedulers[0] {
		return e.played, nil
	}
	if config.Workers > MaxPlayedWorkers || len(load.Durations) > MaxPlayedTasks {
		return nil, fmt.Errorf("runs of up to %d workers and %d tasks can be played back; this one has %d workers and %d tasks",
			MaxPlayedWorkers, MaxPlayedTasks, config.Workers, len(load.Durations))
	}
	p := newPlayback(d.Schedulers[0], config, load)
	result, err := e.again(ctx, d.Schedulers[0], config, load, p.note)
	if err != nil {
		return nil, err
	}
	p.describe(load, result.Arrivals(load), federate.Users(&config, load))
	e.played = p
	return p, nil
}

// asked returns the part of a scheduler with the first seed "" for
// the first scheduler, with its workload and configuration.
func (e *Prepared) asked(scheduler string) (*Document, *workload.Tasks, federate.Config, error) {
	i := 0
	if scheduler != "" {
		i = slices.Index(e.document.Schedulers, scheduler)
	}
	if i < 0 {
		return nil, nil, federate.Config{}, fmt.Errorf("scheduler: %q is not one of the document's", scheduler)
	}
	d := e.document.row(i, 0)
	load, config, err := e.inputs(d)
	return d, load, config, err
}

// again repeats a run and reports every event.
func (e *Prepared) again(ctx context.Context, scheduler string, config federate.Config, load *workload.Tasks, trace func(federate.Record)) (*federate.Result, error) {
	return federate.Run(ctx, scheduler, config, load, federate.Options{
		Trace: trace, Progress: telling(e.env.Tell),
	})
}

// layout adapts a configuration to the scheduler, and returns the masters of each worker.
func layout(scheduler string, c *federate.Config) (gm, lm []int32) {
	plugin, _ := c.Plugin(scheduler)
	if plugin.Facts.Configure != nil {
		plugin.Facts.Configure(c)
	}
	if plugin.Facts.Masters != nil {
		return plugin.Facts.Masters(c, federate.Values(&plugin, c))
	}
	c.GMs, c.LMs = 0, 0
	none := slices.Repeat([]int32{-1}, c.Workers)
	return none, slices.Clone(none)
}

func newPlayback(scheduler string, c federate.Config, load *workload.Tasks) *Playback {
	p := &Playback{Scheduler: scheduler, GMOfUser: []int32{}}
	p.GMOfWorker, p.LMOfWorker = layout(scheduler, &c)
	p.GMs, p.LMs = c.GMs, c.LMs
	if p.GMs > 0 {
		users := federate.Users(&c, load)
		for u := range users {
			p.GMOfUser = append(p.GMOfUser, federate.GMOfUser(u, users, p.GMs))
		}
	}
	return p
}

// describe fills in the columns of the tasks.
func (p *Playback) describe(load *workload.Tasks, arrivals []federate.Time, users int) {
	for t, job := range jobsOf(load) {
		p.Arrival, p.Duration = append(p.Arrival, int64(arrivals[t])), append(p.Duration, int64(load.Durations[t]))
		p.Job, p.User = append(p.Job, int32(job)), append(p.User, federate.UserOf(job, &load.Jobs[job], users))
	}
}

func (p *Playback) note(r federate.Record) {
	if len(p.At) == MaxPlayedRecords {
		p.Cut = true
		return
	}
	p.At, p.Action = append(p.At, int64(r.At)), append(p.Action, uint8(r.Action))
	p.Task, p.Worker, p.Master = append(p.Task, r.Task), append(p.Worker, r.Worker), append(p.Master, r.Master)
}

// columns has what travels beside the JSON, in order.
func (p *Playback) columns() []any {
	return []any{
		&p.GMOfUser, &p.GMOfWorker, &p.LMOfWorker, &p.Arrival, &p.Duration, &p.Job, &p.User,
		&p.At, &p.Action, &p.Task, &p.Worker, &p.Master,
	}
}

// Attachment returns the columns as bytes: each is its length and the differences of its
// values, which are small, as varints.
func (p *Playback) Attachment() []byte {
	var data []byte
	for _, column := range p.columns() {
		switch c := column.(type) {
		case *[]int64:
			data = pack(data, *c)
		case *[]int32:
			data = pack(data, *c)
		case *[]uint8:
			data = pack(data, *c)
		}
	}
	return data
}

func pack[T int64 | int32 | uint8](data []byte, column []T) []byte {
	data = binary.AppendVarint(data, int64(len(column)))
	last := int64(0)
	for _, v := range column {
		data = binary.AppendVarint(data, int64(v)-last)
		last = int64(v)
	}
	return data
}

// Attach replaces the columns of p by the columns that Attachment wrote.
func (p *Playback) Attach(data []byte) (err error) {
	for _, column := range p.columns() {
		switch c := column.(type) {
		case *[]int64:
			data, err = unpack(data, c)
		case *[]int32:
			data, err = unpack(data, c)
		case *[]uint8:
			data, err = unpack(data, c)
		}
		if err != nil {
			return err
		}
	}
	if len(data) > 0 {
		return errDamaged
	}
	return nil
}

var errDamaged = errors.New("federate: the columns of the playback are damaged")

func unpack[T int64 | int32 | uint8](data []byte, to *[]T) (rest []byte, err error) {
	n, data, err := shortest(data)
	if err != nil || n < 0 || n > int64(len(data)) {
		return nil, errDamaged
	}
	*to = make([]T, n)
	last, step := int64(0), int64(0)
	for i := range *to {
		step, data, err = shortest(data)
		last += step
		if err != nil || int64(T(last)) != last {
			return nil, errDamaged
		}
		(*to)[i] = T(last)
	}
	return data, nil
}

// shortest reads a varint that has no more bytes than it needs.
func shortest(data []byte) (v int64, rest []byte, err error) {
	v, n := binary.Varint(data)
	if n <= 0 || len(binary.AppendVarint(nil, v)) != n {
		return 0, nil, errDamaged
	}
	return v, data[n:], nil
}
