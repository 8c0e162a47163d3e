package parquet

import (
	"encoding/binary"
	"errors"
)

// node is a value of Thrift's compact protocol: a number, a text, a list or a structure.
type node struct {
	number int64
	text   []byte
	list   []node
	fields map[int16]*node
}

// none stands for what is missing.
var none node

// field returns a field of a structure, by its number.
func (n *node) field(id int16) *node {
	if f, ok := n.fields[id]; ok {
		return f
	}
	return &none
}

// has says whether a structure has a field.
func (n *node) has(id int16) bool { return n.fields[id] != nil }

// The types of the protocol.
const (
	isTrue = iota + 1
	isFalse
	isByte
	isInt16
	isInt32
	isInt64
	isDouble
	isBinary
	isList
	isSet
	isMap
	isStruct
)

const (
	maxNodes = 1 << 20 // of one structure and all within it
	maxDepth = 16
)

var errThrift = errors.New("its description is damaged")

// thrift reads structures, and remembers that something was wrong.
type thrift struct {
	data  []byte
	nodes int
	err   error
}

// fail ends reading.
func (t *thrift) fail() { t.err, t.data = errThrift, nil }

func (t *thrift) byte() byte {
	if len(t.data) == 0 {
		t.fail()
		return 0
	}
	b := t.data[0]
	t.data = t.data[1:]
	return b
}

func (t *thrift) unsigned() uint64 { return number(t, binary.Uvarint) }
func (t *thrift) integer() int64   { return number(t, binary.Varint) }

// number reads a number of seven bits a byte.
func number[N int64 | uint64](t *thrift, read func([]byte) (N, int)) N {
	n, size := read(t.data)
	if size <= 0 {
		t.fail()
		return 0
	}
	t.data = t.data[size:]
	return n
}

// length is a number of bytes, or of things that have a byte at least.
func (t *thrift) length() int {
	n := t.unsigned()
	if n > uint64(len(t.data)) {
		t.fail()
		return 0
	}
	return int(n)
}

// take returns the next n bytes.
func (t *thrift) take(n int) []byte {
	if n > len(t.data) {
		t.fail()
		return nil
	}
	b := t.data[:n]
	t.data = t.data[n:]
	return b
}

// structure reads the fields of a structure up to its end.
func (t *thrift) structure(depth int) *node {
	n := &node{fields: map[int16]*node{}}
	for id := int16(0); t.err == nil; {
		head := t.byte()
		if head == 0 {
			break
		}
		if head>>4 != 0 {
			id += int16(head >> 4)
		} else {
			id = int16(t.integer())
		}
		if kind := head & 15; kind <= isFalse {
			n.fields[id] = &node{number: int64(isFalse - kind)}
		} else {
			n.fields[id] = t.value(kind, depth)
		}
	}
	return n
}

// value reads a value of a type; a boolean in a list has a byte of its own.
func (t *thrift) value(kind byte, depth int) *node {
	if t.nodes++; t.nodes > maxNodes || depth > maxDepth {
		t.fail()
		return &none
	}
	switch kind {
	case isTrue, isFalse, isByte:
		return &node{number: int64(int8(t.byte()))}
	case isInt16, isInt32, isInt64:
		return &node{number: t.integer()}
	case isDouble:
		t.take(8)
		return &none
	case isBinary:
		return &node{text: t.take(t.length())}
	case isList, isSet:
		return t.items(depth)
	case isMap:
		if n := t.length(); n > 0 {
			kinds := t.byte()
			for range n {
				t.value(kinds>>4, depth+1)
				t.value(kinds&15, depth+1)
			}
		}
		return &none
	case isStruct:
		return t.structure(depth + 1)
	}
	t.fail()
	return &none
}

func (t *thrift) items(depth int) *node {
	head := t.byte()
	n := int(head >> 4)
	if n == 15 {
		n = t.length()
	}
	list := &node{}
	for i := 0; i < n && t.err == nil; i++ {
		list.list = append(list.list, *t.value(head&15, depth+1))
	}
	return list
}
