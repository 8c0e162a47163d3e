package chart

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
)

// State is the state of a cell, drawn as its fill and mark.
type State uint8

// The states of a worker.
const (
	Free    State = iota // empty
	Partly               // half full
	Busy                 // full
	Pending              // hatched: a launch is under way
	Down                 // crossed out
)

var stateNames = []string{"free", "partly used", "busy", "pending", "down"}

// String returns the state in words.
func (s State) String() string { return stateNames[s] }

// Cell is a worker.
type Cell struct {
	Name      string
	Block     int // index in Blocks: its local master
	Partition int // index in Partitions: the global master of its partition
}

// Change is a new state of a cell.
type Change struct {
	Time  float64
	Cell  int
	State State
}

// Place is the origin or the target of a message: nowhere (0), a cell, a block or the master of a
// partition.
type Place int32

// CellPlace returns the place of a cell.
func CellPlace(i int) Place { return Place(i + 1) }

// MasterPlace returns the place of the master of a partition.
func MasterPlace(i int) Place { return Place(-1 - 2*i) }

// BlockPlace returns the place of the local master of a block.
func BlockPlace(i int) Place { return Place(-2 - 2*i) }

// Message is the message of an event, drawn as an arrow while the player is at that event.
type Message struct {
	From, To Place
	Refused  bool
}

// Queue is the number of tasks that wait at a master from a time on.
type Queue struct {
	Time   float64
	Master int
	Tasks  int
}

// Belief says from when on a cell is full or open in the copy of a master or the books of its
// block. At first every cell is open.
type Belief struct {
	Time   float64
	Master int // −1: the books of the block
	Cell   int
	Full   bool
}

// Cells shows a data centre: a block for each local master with its workers, partition by partition
// in the colour of their global master. All workers are free at first. Users can play, pause and
// step through the changes like in a [Timeline].
type Cells struct {
	app.Compo

	ID         string
	TestID     string
	Title      string
	Empty      string // message for a chart without figures
	XLabel     string // "time (s)"
	Blocks     []string
	Partitions []string
	Items      []Cell
	Changes    []Change // by time
	Events     []Event  // by time; if empty, the changes are the steps
	Queues     []Queue  // by time, of the partitions' masters; empty if partitions have no master
	Beliefs    []Belief // by time

	Controls string // id of the element for the player; "": above the drawing
	Follows  bool   // no own player; it follows the player of another drawing

	// Seek moves the cursor to a time whenever it changes.
	Seek float64

	OnPick func(ctx app.Context, p Pick)
}

// Render draws the chart.
func (c *Cells) Render() app.UI {
	return &plate{
		ID: c.ID, TestID: c.TestID, Title: c.Title, Empty: c.Empty, Of: c, Draw: "cells", Spec: c.spec,
		Header: []string{"cell", "block", "partition", "time", "state"}, Rows: c.rows, Cells: 5 * (len(c.Items) + len(c.Changes)),
		OnPick: picker(c.OnPick),
	}
}

func (c *Cells) spec() map[string]any {
	n := len(c.Items)
	names, blocks, partitions := make([]string, n), make([]int32, n), make([]int32, n)
	for i, d := range c.Items {
		names[i], blocks[i], partitions[i] = d.Name, int32(d.Block), int32(d.Partition)
	}
	m := len(c.Changes)
	times, cells, states := make([]float64, m), make([]int32, m), make([]uint8, m)
	for i, d := range c.Changes {
		times[i], cells[i], states[i] = d.Time, int32(d.Cell), uint8(d.State)
	}
	masters := make([]map[string]any, len(c.Partitions))
	for i, name := range c.Partitions {
		masters[i] = named(name, "", i)
	}
	from, to, refused := make([]int32, len(c.Events)), make([]int32, len(c.Events)), make([]uint8, len(c.Events))
	for i, e := range c.Events {
		from[i], to[i] = int32(e.Sends.From), int32(e.Sends.To)
		if e.Sends.Refused {
			refused[i] = 1
		}
	}
	k := len(c.Queues)
	queueTimes, queueMasters, queueTasks := make([]float64, k), make([]int32, k), make([]int32, k)
	for i, q := range c.Queues {
		queueTimes[i], queueMasters[i], queueTasks[i] = q.Time, int32(q.Master), int32(q.Tasks)
	}
	b := len(c.Beliefs)
	beliefTimes, beliefMasters, beliefCells, beliefFull := make([]float64, b), make([]int32, b), make([]int32, b), make([]uint8, b)
	for i, x := range c.Beliefs {
		beliefTimes[i], beliefMasters[i], beliefCells[i] = x.Time, int32(x.Master), int32(x.Cell)
		if x.Full {
			beliefFull[i] = 1
		}
	}
	return map[string]any{
		"beliefs": map[string]any{"times": beliefTimes, "masters": beliefMasters, "cells": beliefCells, "full": beliefFull},
		"from":    from, "to": to, "refused": refused,
		"queues": map[string]any{"times": queueTimes, "masters": queueMasters, "tasks": queueTasks},
		"xLabel": c.XLabel, "blocks": c.Blocks, "partitions": masters, "states": stateNames, "seek": c.Seek, "follows": c.Follows, "controls": c.Controls,
		"names": names, "block": blocks, "partition": partitions,
		"times": times, "cell": cells, "state": states, "events": events(c.Events),
	}
}

// rows returns the initial states, then every change.
func (c *Cells) rows() [][]string {
	rows := make([][]string, 0, len(c.Items)+len(c.Changes))
	row := func(cell int, time string, s State) {
		d := c.Items[cell]
		rows = append(rows, []string{d.Name, c.Blocks[d.Block], c.Partitions[d.Partition], time, s.String()})
	}
	for i := range c.Items {
		row(i, "", Free)
	}
	for _, d := range c.Changes {
		row(d.Cell, ui.Exact(d.Time), d.State)
	}
	return rows
}
