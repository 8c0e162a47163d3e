package scenario

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"berth/engine/scenario/body"
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

// Untimed returns the report without timings, which alone is the same
// everywhere. It shares its body.
func (r *Report) Untimed() *Report {
	untimed := *r
	untimed.Timings = nil
	return &untimed
}

func indented(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // it makes files longer and harder to read
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil
	}
	return show.JSON(b.Bytes())
}

// Hash names the inputs: 16 hexadecimal digits over the canonical bytes of the
// scenario without its name, with the SHA-256 of each text in its place: to
// write a text of megabytes as JSON takes longer than to place it.
func (s Scenario) Hash() string {
	s = s.Clone()
	s.Name = ""
	if s.Placement != nil {
		s.Placement.Federation.digest()
		for i := range s.Placement.Deployments {
			s.Placement.Deployments[i].digest()
		}
	}
	if s.QoS != nil {
		digest(s.QoS.Sources())
	}
	if s.Federate != nil {
		digest(s.Federate.Sources())
	}
	return hash(Encode(s))
}

func digest(slots []body.Slot) {
	for _, slot := range slots {
		slot.Source.Digest()
	}
}

func (s *Source) digest() {
	if s.DOT != "" {
		s.DOT = fmt.Sprintf("%x", sha256.Sum256([]byte(s.DOT)))
	}
}

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}
