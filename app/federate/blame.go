package federate

import (
	"strconv"
	"strings"
)

// schedulersID is the id of the schedulers as a whole, for messages.
const schedulersID = "fed-schedulers"

// controlOf is the id of the control that edits the value at a JSON path, "" for none.
func (v *View) controlOf(path string) string {
	path = strings.TrimPrefix(path, "federate.")
	for _, f := range v.fields() {
		if f.path != "" && (path == f.path || strings.HasPrefix(path, f.path+"[")) {
			return f.id
		}
	}
	switch {
	case strings.HasPrefix(path, "schedulers"):
		return schedulersID
	case strings.HasPrefix(path, "constraints"):
		return tablesID
	}
	if index, ok := strings.CutPrefix(path, "outages["); ok {
		index, _, _ = strings.Cut(index, "]")
		if i, err := strconv.Atoi(index); err == nil {
			return outageID(i)
		}
	}
	return ""
}

// wrongOutages are the ids of the failures, for messages.
func (v *View) wrongOutages() []string {
	list := make([]string, len(v.Inputs.options.Outages))
	for i := range list {
		list[i] = outageID(i)
	}
	return list
}
