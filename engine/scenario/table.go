package scenario

import (
	"bytes"
	"encoding/csv"
	"strconv"
)

// CSV writes rows as a file, of which the first one is the header.
func CSV(rows [][]string) ([]byte, error) {
	var b bytes.Buffer
	err := csv.NewWriter(&b).WriteAll(rows)
	return b.Bytes(), err
}

// Cell writes a figure with all its digits, nothing for one that is nil.
func Cell(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'g', -1, 64)
}
