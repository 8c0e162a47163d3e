package study

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"berth/engine/scenario"
)

// A key is composed: it is the digest of a tree of digests. What cells share of the base
// and of the levels is digested once, so a key takes microseconds however long the inputs
// are. Equal trees have equal keys, whatever factors they come from.

// digest is the SHA-256 of a part of a tree.
type digest [sha256.Size]byte

// longText is from how many bytes a text stands in a tree as its digest.
const longText = 64

// digester knows the digests of what cells share.
type digester struct {
	shared map[uintptr]digest // by address, of objects and arrays that the plan holds
	texts  map[string]digest
}

// share digests a tree that the plan holds and does not change.
func (d *digester) share(tree any) {
	switch t := tree.(type) {
	case map[string]any:
		for _, v := range t {
			d.share(v)
		}
		d.shared[reflect.ValueOf(t).Pointer()] = d.object(t)
	case []any:
		for _, v := range t {
			d.share(v)
		}
	case string:
		if len(t) >= longText {
			d.texts[t] = sha256.Sum256([]byte(t))
		}
	}
}

// of returns the digest of the tree of a scenario, whose name does not count.
func (d *digester) of(tree any) digest {
	root, ok := tree.(map[string]any)
	if !ok {
		return sha256.Sum256(d.value(nil, tree))
	}
	root = maps.Clone(root)
	delete(root, "name")
	return d.object(root)
}

func (d *digester) object(fields map[string]any) digest {
	text := make([]byte, 0, 1024)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		text = d.value(sized(text, name), fields[name])
	}
	return sha256.Sum256(text)
}

// value writes a value so that no other is written alike.
func (d *digester) value(to []byte, v any) []byte {
	switch v := v.(type) {
	case map[string]any:
		sum, ok := d.shared[reflect.ValueOf(v).Pointer()]
		if !ok {
			sum = d.object(v)
		}
		return append(append(to, '{'), sum[:]...)
	case []any:
		to = binary.AppendUvarint(append(to, '['), uint64(len(v)))
		for _, item := range v {
			to = d.value(to, item)
		}
		return to
	case string:
		if len(v) < longText {
			return sized(append(to, '"'), v)
		}
		sum, ok := d.texts[v]
		if !ok {
			sum = sha256.Sum256([]byte(v))
		}
		return append(append(to, '$'), sum[:]...)
	case json.Number:
		return sized(append(to, '#'), string(v))
	case bool:
		if v {
			return append(to, 't')
		}
		return append(to, 'f')
	}
	return append(to, 'n')
}

func sized(to []byte, text string) []byte {
	return append(binary.AppendUvarint(to, uint64(len(text))), text...)
}

// Key names the inputs of a run and the name of the engine: runs with equal keys have
// equal results.
func (p *Plan) Key(i int) (string, error) {
	at := p.Cell(i)
	p.making.Lock()
	defer p.making.Unlock()
	c := &p.cells[at]
	if c.key == (digest{}) {
		tree, err := p.treeAt(p.levels[at])
		if err != nil {
			return "", err
		}
		c.key = p.digests.of(tree)
	}
	text := sized(sized(c.key[:], c.files), scenario.Engine)
	sum := sha256.Sum256(binary.AppendUvarint(text, uint64(i/len(p.cells))))
	return hex.EncodeToString(sum[:16]), nil
}
