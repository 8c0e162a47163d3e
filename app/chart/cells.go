package chart

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
)

// State is what a cell shows by its fill and mark.
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

// String is the state in words.
func (s State) String() string { return stateNames[s] }

// Cell is one worker.
type Cell struct {
	Name      string
	Block     int // in Blocks: its local master
	Partition int // in Partitions: the global master whose partition it is in
}

// Change is a new state of a cell.
type Change struct {
	Time  float64
	Cell  int
	State State
}

// Place is where a message comes from or goes to: nowhere, a cell, a block or the master
// of a partition.
type Place int32

// CellPlace is that of a cell by its index.
func CellPlace(i int) Place { return Place(i + 1) }

// MasterPlace is that of the master of a partition.
func MasterPlace(i int) Place { return Place(-1 - 2*i) }

// BlockPlace is that of the local master of a block.
func BlockPlace(i int) Place { return Place(-2 - 2*i) }

// Message is what an event sends, drawn as an arrow while a player is at it.
type Message struct {
	From, To Place
	Refused  bool
}

// Queue is how many tasks wait at a master from a time on.
type Queue struct {
	Time   float64
	Master int
	Tasks  int
}

// Belief is whether a cell is full by the copy of a master, or by the books of its block,
// from a time on. All are taken for open at first.
type Belief struct {
	Time   float64
	Master int // −1 for the books
	Cell   int
	Full   bool
}

// Cells shows a data centre: a block for each local master, in it the workers,
// partition by partition in the colour of their global master. All are free at
// first; what changes can be played, paused and stepped as a [Timeline] is.
type Cells struct {
	app.Compo

	ID         string
	TestID     string
	Title      string
	Empty      string // what to say while there is nothing to draw
	XLabel     string // "time (s)"
	Blocks     []string
	Partitions []string
	Items      []Cell
	Changes    []Change // by time
	Events     []Event  // by time; without any, the changes are the steps
	Queues     []Queue  // by time, of the masters of the partitions; none where they have no master
	Beliefs    []Belief // by time

	Controls string // id of the element that gets the player; "" puts it above the drawing
	Follows  bool   // it has no player, and goes along with that of another drawing

	// Seek is the time that the cursor moves to when it changes.
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

// rows are the first states, and then every change.
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
