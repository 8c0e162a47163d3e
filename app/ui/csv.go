package ui

import "strings"

// CSV writes records as RFC 4180 describes, without the weight of encoding/csv.
func CSV(records [][]string) []byte {
	var b strings.Builder
	for _, record := range records {
		for i, field := range record {
			if i > 0 {
				b.WriteByte(',')
			}
			if strings.ContainsAny(field, ",\"\r\n") {
				field = `"` + strings.ReplaceAll(field, `"`, `""`) + `"`
			}
			b.WriteString(field)
		}
		b.WriteString("\r\n")
	}
	return []byte(b.String())
}
