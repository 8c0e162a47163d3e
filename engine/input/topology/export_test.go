package topology

import (
	"berth/engine/diag"
	"berth/engine/input/format"
)

// Read reads any text in each format and each role. It returns the names of formats that neither
// read the text nor give an error.
func Read(text []byte) (silent []string) {
	for _, s := range formats {
		s.role(text)
		d, why := s.deployment("n", text, format.Options{})
		f, whyNot := s.federation("n", text, format.Options{})
		for _, one := range []struct {
			read bool
			diag.List
		}{{len(d) > 0, why}, {f != nil, whyNot}} {
			if one.read == (len(one.Errors()) > 0) {
				silent = append(silent, s.Name)
			}
		}
	}
	return silent
}
