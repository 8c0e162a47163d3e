//go:build !js

package gallery

// readRecords lists the entries with their records, which are compiled into the native program.
func (v *View) readRecords() { v.record() }
