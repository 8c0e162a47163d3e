package scenario

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"berth/engine/show"
)

// Encode returns the canonical bytes of a scenario: indented JSON with its
// fields in the order of the types, a newline at the end. Equal scenarios have
// equal bytes. A figure that JSON cannot hold (see [Scenario.Validate]) gives
// nil.
func Encode(s Scenario) []byte { return indented(s) }

// EncodeReport returns the bytes of a report as they are written everywhere, in
// the manner of Encode.
func EncodeReport(r *Report) []byte { return indented(r) }

func indented(v any) []byte {
	data, err := compact(v)
	if err != nil {
		return nil
	}
	return indent(data)
}

// compact writes JSON on one line.
func compact(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // it makes files longer and harder to read
	err := e.Encode(v)
	return show.JSON(b.Bytes()), err
}

// indent puts JSON that is valid on lines of its own.
func indent(data []byte) []byte {
	var b bytes.Buffer
	_ = json.Indent(&b, data, "", "  ")
	return b.Bytes()
}

// Hash names the inputs: 16 hexadecimal digits over the canonical bytes of the
// scenario without its name, with the SHA-256 of each text in its place: to
// write a text of megabytes as JSON takes longer than to place it.
func (s Scenario) Hash() string {
	s = s.Clone()
	s.Name = ""
	for _, slot := range s.Slots() {
		slot.digest()
	}
	return hashOf(Encode(s))
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}
