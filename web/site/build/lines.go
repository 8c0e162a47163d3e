package build

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
)

// dropLines removes the tables of line numbers from a program.
//
// For each function Go's linker records the file and line of every instruction, and
// its inlined calls, so that a panic can print its location: an eighth of the
// download, which visitors never see. dropLines overwrites these tables with zeros,
// which compress to almost nothing, and marks every function as having none; a panic
// then prints "?:0" after the name of the function. The tables that the runtime
// itself needs (sizes of frames, live pointers) stay.
//
// The linker also splits the data into 100,000 segments at runs of zeros, whose
// addresses are another twentieth of the program: dropLines joins them into one.
//
// It depends on the tables of Go 1.26: see the header in runtime/symtab.go and a
// function in runtime/runtime2.go. Other tables are an error, and the build goes on with
// the whole program.
func dropLines(program []byte) ([]byte, error) {
	r := reader{data: program, at: wasmHeader}
	small, found := slices.Clone(program[:min(wasmHeader, len(program))]), false
	for r.at < len(program) && !r.failed {
		from := r.at
		section, size := r.byte(), r.number()
		content := reader{data: r.take(size)}
		if section != dataSection {
			small = append(small, program[from:r.at]...)
			continue
		}
		memory, err := content.memory()
		if err != nil {
			return nil, err
		}
		tables, err := findTables(memory)
		if err != nil {
			return nil, err
		}
		if err := tables.drop(); err != nil {
			return nil, err
		}
		data := oneSegment(memory)
		found = true
		small = binary.AppendUvarint(append(small, dataSection), uint64(len(data)))
		small = append(small, data...)
	}
	if r.failed || !found {
		return nil, errTables
	}
	return small, nil
}

var errTables = errors.New("the program has its tables of lines in a way that this build does not know")

// Constants of the format of WebAssembly.
const (
	wasmHeader    = 8 // length in bytes
	dataSection   = 11
	i32Const      = 0x41
	end           = 0x0b
	largestMemory = 1 << 28 // maximum initial memory, in bytes
)

// memory reads a data section, which is the program's initial memory.
func (r *reader) memory() ([]byte, error) {
	var memory []byte
	for n := r.number(); n > 0 && !r.failed; n-- {
		constant := r.byte() == 0 && r.byte() == i32Const
		address := r.number() // not negative, so its sign is irrelevant
		constant = constant && r.byte() == end
		content := r.take(r.number())
		if !constant || r.failed {
			return nil, errTables
		}
		if beyond := address + len(content) - len(memory); beyond > 0 {
			memory = append(memory, make([]byte, beyond)...)
		}
		copy(memory[address:], content)
	}
	return memory, nil
}

// oneSegment encodes a data section with a single segment.
func oneSegment(memory []byte) []byte {
	const one, active, address = 1, 0, 0
	data := binary.AppendUvarint([]byte{one, active, i32Const, address, end}, uint64(len(memory)))
	return append(data, memory...)
}

// reader reads numbers in the encodings of WebAssembly and of Go's tables.
type reader struct {
	data   []byte
	at     int
	failed bool
}

func (r *reader) byte() byte {
	if r.at >= len(r.data) {
		r.failed = true
		return 0
	}
	r.at++
	return r.data[r.at-1]
}

func (r *reader) number() int {
	if r.at >= len(r.data) {
		r.failed = true
		return 0
	}
	v, n := binary.Uvarint(r.data[r.at:])
	if n <= 0 || v > largestMemory {
		r.failed = true
		return 0
	}
	r.at += n
	return int(v)
}

func (r *reader) take(n int) []byte {
	if n > len(r.data)-r.at {
		r.failed = true
		n = 0
	}
	r.at += n
	return r.data[r.at-n : r.at]
}

// lineTables is runtime.pclntab of a program.
type lineTables struct {
	names     []byte // names of functions, each terminated by a zero
	files     []byte // the compilation units, then the names of their files
	functions []byte // index of the functions, then their descriptions
	count     int    // number of functions
	tables    []byte // tables by instruction, one after the other
}

// findTables finds the header of the tables: a magic number, two zeros, the size of
// an instruction and of a pointer; then the number of functions and of files, an
// unused word, and the offsets of names, units, files, tables and functions.
func findTables(memory []byte) (lineTables, error) {
	magic := []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}
	at := bytes.Index(memory, magic)
	if at < 0 || bytes.Count(memory, magic) != 1 || at+72 > len(memory) {
		return lineTables{}, errTables
	}
	header := memory[at:]
	word := func(i int) int { return int(binary.LittleEndian.Uint64(header[8+8*i:])) }
	count, names, units, tables, functions := word(0), word(3), word(4), word(6), word(7)
	if unused := word(2); unused != 0 || count <= 0 || names <= 0 || units <= names || tables <= units || functions <= tables || functions+8*count > len(header) {
		return lineTables{}, errTables
	}
	return lineTables{names: header[names:units], files: header[units:tables], functions: header[functions:], count: count, tables: header[tables:functions]}, nil
}

// Offsets in the description of a function, in bytes.
const (
	ofName      = 4
	ofFrames    = 16 // its table of frame sizes
	ofFiles     = 20 // its table of files
	ofLines     = 24 // its table of lines
	ofOthers    = 28 // the number of its other tables
	ofFirstLine = 36
	ofID        = 40 // a byte
	afterFixed  = 44 // beginning of the other tables
)

// Indices of the other tables that the collector and bounds panics need
// (internal/abi/symtab.go).
const (
	livePointers = 1
	panicBounds  = 4
)

// wrapper is the id of method wrappers (internal/abi/symtab.go).
const wrapper = 23

// drop overwrites the tables that only locate a panic, unless they have a second use:
// the linker stores equal tables once.
func (t lineTables) drop() error {
	clear(t.files)
	dropped, kept := map[uint32]bool{}, map[uint32]bool{}
	for i := range t.count {
		at := int(binary.LittleEndian.Uint32(t.functions[8*i+4:]))
		if at < 8*t.count || at+afterFixed > len(t.functions) {
			return errTables
		}
		f := t.functions[at:]
		if err := t.shortenName(f); err != nil {
			return err
		}
		field := func(offset int) uint32 { return binary.LittleEndian.Uint32(f[offset:]) }
		forget := func(offset int) {
			dropped[field(offset)] = true
			clear(f[offset : offset+4])
		}
		n := int(field(ofOthers))
		if n > 16 || afterFixed+4*n > len(f) {
			return errTables
		}
		kept[field(ofFrames)] = true
		forget(ofFiles)
		forget(ofLines)
		clear(f[ofFirstLine : ofFirstLine+4])
		for j := range n {
			if table := afterFixed + 4*j; j == livePointers || j == panicBounds {
				kept[field(table)] = true
			} else {
				forget(table)
			}
		}
	}
	for table := range dropped {
		if !kept[table] && table != 0 {
			if err := t.clear(int(table)); err != nil {
				return err
			}
		}
	}
	return nil
}

// shortenName replaces type arguments in the name of a function by "[...]", and
// erases the name if it is not from the page's packages: workers recover from the
// panics of the engine and report them without names. It keeps the names of wrappers,
// which the runtime reports on a method call on nil.
func (t lineTables) shortenName(function []byte) error {
	at := int(binary.LittleEndian.Uint32(function[ofName:]))
	if at >= len(t.names) {
		return errTables
	}
	name, _, _ := bytes.Cut(t.names[at:], []byte{0})
	if function[ofID] != wrapper && !bytes.HasPrefix(name, []byte("berth/app/")) && !bytes.HasPrefix(name, []byte("main.")) {
		clear(name)
		return nil
	}
	from, to := bytes.IndexByte(name, '['), bytes.LastIndexByte(name, ']')
	if short := []byte("[...]"); from >= 0 && to-from >= len(short) {
		n := copy(name[from:], append(short, name[to+1:]...))
		clear(name[from+n:])
	}
	return nil
}

// clear overwrites a table: pairs of a value step and an instruction step, up to a
// value step of 0 other than the first.
func (t lineTables) clear(from int) error {
	r := reader{data: t.tables, at: from}
	for first := true; !r.failed; first = false {
		if r.number() == 0 && !first {
			clear(t.tables[from:r.at])
			return nil
		}
		r.number()
	}
	return errTables
}
