package study

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"berth/engine/scenario"
)

// A key is the digest of a tree of digests. Parts that cells share with the base or with a level
// are digested once, so that a key takes microseconds even if the inputs are long. Equal trees have
// equal keys, regardless of their factors.

// digest is the SHA-256 of a part of a tree.
type digest [sha256.Size]byte

// longText is a length in bytes: a text of that length or more is replaced by its digest.
const longText = 64

// digester caches the digests of parts that cells share.
type digester struct {
	shared map[uintptr]digest // by address of the objects that the plan keeps
	texts  map[string]digest
}

// share digests a tree that the plan keeps and does not change.
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

// of returns the digest of the tree of a scenario without its name.
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

// value appends an unambiguous encoding of a value.
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

// Key returns the key of a run, which identifies its inputs and the engine: runs with equal keys
// have equal results.
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
	return keyOf(c.key, c.files, uint64(i/len(p.cells))), nil
}

func keyOf(tree digest, files string, seed uint64) string {
	text := sized(sized(tree[:], files), scenario.Engine)
	sum := sha256.Sum256(binary.AppendUvarint(text, seed))
	return hex.EncodeToString(sum[:16])
}

// Inputs are the inputs of a run in a message to another machine. With the engine they
// determine the key.
type Inputs struct {
	Scenario json.RawMessage   `json:"scenario,omitempty"` // scenario of the cell, without a name
	Seed     uint64            `json:"seed"`               // amount added to all seeds
	Files    map[string]string `json:"files,omitempty"`    // SHA-256 of the files of the scenario, by slot
}

// Inputs returns the inputs of a job.
func (p *Plan) Inputs(j Job) (Inputs, error) {
	tree, err := p.treeAt(p.levels[p.Cell(j.Run)])
	if err != nil {
		return Inputs{}, err
	}
	if root, ok := tree.(map[string]any); ok {
		root = maps.Clone(root)
		delete(root, "name")
		tree = root
	}
	files := map[string]string{}
	for _, slot := range j.Scenario.Slots() {
		if sum := slot.Source.SHA256; slot.Source.Beside() && sum != "" {
			files[slot.Name] = sum
		}
	}
	text, err := json.Marshal(tree)
	return Inputs{text, uint64(j.Run / len(p.cells)), files}, err
}

// Open returns the scenario of a run from another machine, and the key of its inputs on
// this one.
func (in *Inputs) Open() (s scenario.Scenario, key string, err error) {
	var tree digest
	var wrong error
	err = scenario.DecodeTree(in.Scenario, "a scenario", func(root any, _ *scenario.Problems) {
		tree = new(digester).of(root)
		s, wrong = scenario.FromTree(root)
	})
	if err = cmp.Or(err, wrong); err != nil {
		return s, "", err
	}
	for _, slot := range s.Slots() {
		if sum := in.Files[slot.Name]; sum != "" {
			slot.Source.SHA256 = sum
		}
	}
	return s.Reseed(in.Seed), keyOf(tree, digestsOf(s), in.Seed), nil
}

// digestsOf lists the digests of the texts of a scenario.
func digestsOf(s scenario.Scenario) (all string) {
	for _, slot := range s.Slots() {
		all += slot.Source.SHA256 + " "
	}
	return all
}
