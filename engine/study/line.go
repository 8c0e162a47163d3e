package study

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"berth/engine/scenario"
)

// Line returns a result as one line of a file with many results: its key, a checksum of the key and
// the JSON, and the JSON.
func Line(key string, r *Result) ([]byte, error) {
	text, err := json.Marshal(r)
	return fmt.Appendf(nil, "%s %s %s\n", key, checksum(key, text), text), err
}

func checksum(key string, text []byte) string {
	sum := sha256.Sum256(append([]byte(key+" "), text...))
	return hex.EncodeToString(sum[:8])
}

// CutLine splits a line into its key and its JSON. ok is false if the line is damaged.
func CutLine(line []byte) (key string, text []byte, ok bool) {
	fields := bytes.SplitN(bytes.TrimSuffix(line, []byte("\n")), []byte(" "), 3)
	if len(fields) < 3 || !bytes.HasSuffix(line, []byte("\n")) {
		return "", nil, false
	}
	key, text = string(fields[0]), fields[2]
	return key, text, string(fields[1]) == checksum(key, text)
}

// OfLine returns the result in a line, or nil if the line is damaged or belongs to another key or
// engine.
func OfLine(key string, line []byte) *Result {
	of, text, ok := CutLine(line)
	if !ok || of != key {
		return nil
	}
	r, err := DecodeResult(text)
	if err != nil || r.Engine != scenario.Engine {
		return nil
	}
	return r
}
