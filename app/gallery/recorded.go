//go:build !js

package gallery

// readRecords takes the entries with their records, which are part of this program.
func (v *View) readRecords() { v.record() }
