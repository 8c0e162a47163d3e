package chart

import "slices"

// CellState is the state of a cell, drawn as its fill and mark.
type CellState uint8

// The states of a worker.
const (
	Free    CellState = iota // empty
	Partly                   // half full
	Busy                     // full
	Pending                  // hatched: a launch is under way
	Down                     // crossed out
)

var stateNames = []string{"free", "partly used", "busy", "pending", "down"}

// String returns the state in words.
func (s CellState) String() string { return stateNames[s] }

// Cell is a worker of a data centre.
type Cell struct {
	Name      string
	Block     int // index in Blocks: its local master
	Partition int // index in Partitions: the global master of its partition
}

// Change is a new value in a layer of the drawing. All values are 0 at first.
type Change struct {
	Time  float64
	Layer int
	At    int // index of a cell, or of a master in Queues
	Value int
}

// Layers of the drawing. Layer Copies+i is the copy of the state at the master of partition i,
// which may be stale.
const (
	States = iota // [CellState] of a cell
	Queues        // tasks that wait at the master of a partition
	Books         // 1 for a cell that is full according to its local master
	Copies        // 1 for a cell that is full according to a global master's copy
)

// Place is the origin or the target of a message: a cell, a block or the master of a
// partition. The zero value is no place.
type Place int32

// CellPlace returns the place of cell i.
func CellPlace(i int) Place { return Place(i + 1) }

// MasterPlace returns the place of the master of partition i.
func MasterPlace(i int) Place { return Place(-1 - 2*i) }

// BlockPlace returns the place of the local master of block i.
func BlockPlace(i int) Place { return Place(-2 - 2*i) }

// Message is the message of an event, drawn as an arrow while the player is at that event.
type Message struct {
	From, To Place
	Refused  bool
}

// Cells shows a data centre: a block for each local master with its workers, partition by partition
// in the colour of their global master. All workers are free at first. Like in a [Timeline], users
// can play, pause and step through the changes.
type Cells struct {
	XLabel     string // "time (s)"
	Blocks     []string
	Partitions Names
	Items      Columns[Cell]
	Changes    Columns[Change] // by time
	Events     Columns[Event]  // by time; if empty, the changes are the steps

	Controls string // id of the element for the player; "": above the drawing
	Follows  bool   // has no player; follows the player of another drawing

	// Seek moves the cursor to a time whenever it changes.
	Seek float64
}

// The table has the initial states, then every change.
func (c Cells) plot() plot {
	changes := slices.DeleteFunc(slices.Clone(c.Changes), func(d Change) bool { return d.Layer != States })
	return plot{
		header: []string{"cell", "block", "partition", "time", "state"}, cells: 5 * (len(c.Items) + len(changes)),
		more: map[string]any{"states": stateNames}, rows: func(add addRow) {
			row := func(cell int, time any, s CellState) {
				d := c.Items[cell]
				add(d.Name, c.Blocks[d.Block], c.Partitions[d.Partition], time, s.String())
			}
			for i := range c.Items {
				row(i, "", Free)
			}
			for _, d := range changes {
				row(d.At, d.Time, CellState(d.Value))
			}
		},
	}
}
