package scenariotest

import (
	"bytes"
	"compress/gzip"
)

// Packed returns a text compressed with gzip.
func Packed(text string) []byte {
	var packed bytes.Buffer // a write to it does not fail
	w := gzip.NewWriter(&packed)
	w.Write([]byte(text))
	w.Close()
	return packed.Bytes()
}
