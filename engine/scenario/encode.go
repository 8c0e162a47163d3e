package scenario

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"berth/engine/show"
)

// Encode returns the canonical bytes of a scenario: indented JSON, with fields in the
// order of the Go types, and a newline at the end. Equal scenarios have equal bytes. It
// returns nil if a number is not finite, which [Scenario.Validate] refuses.
func Encode(s Scenario) []byte { return indented(s) }

// EncodeReport returns the bytes of a report, in the same form. All programs write these
// bytes.
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
	e.SetEscapeHTML(false) // the text would be longer and harder to read
	err := e.Encode(v)
	return show.JSON(b.Bytes()), err
}

// indent formats valid JSON.
func indent(data []byte) []byte {
	var b bytes.Buffer
	_ = json.Indent(&b, data, "", "  ")
	return b.Bytes()
}

// Hash identifies the inputs: 16 hexadecimal digits over the canonical bytes of the
// scenario without its name. Texts are replaced by their SHA-256, because encoding
// megabytes of text as JSON takes longer than placing them.
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
