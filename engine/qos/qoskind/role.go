package qoskind

import (
	"strings"

	"berth/engine/format"
	"berth/engine/scenario"
)

var roleNames = map[string]string{
	WorkloadSlot: "a workload of requests", HostsSlot: "a list of hosts", OverheadsSlot: "a list of overheads", HostEventsSlot: "a list of host events",
}

// reads knows the sources of this kind by their first lines; tasks of a trace have
// an arrival, and graphs have brackets.
func reads(text string) string {
	if format.IsKubernetes([]byte(text[:min(len(text), 64<<10)])) {
		return "objects of Kubernetes"
	}
	line := scenario.FirstLine(text)
	if strings.Contains(line, "arrival") || strings.ContainsAny(line, "[]") {
		return ""
	}
	return roleNames[Role(text)]
}

// Role guesses the slot of a text by its first line, "" if that does not tell.
func Role(text string) string {
	line := scenario.FirstLine(text)
	commas := strings.Count(line, ",")
	switch inner, begun := strings.CutPrefix(line, "{"); {
	case begun && (inner == "" || inner[0] == '"'): // an object of JSON
		return ""
	case strings.HasPrefix(line, "{") && strings.HasPrefix(strings.TrimLeft(afterComma(line), " "), `"`):
		return HostsSlot // {id,"name",…}
	case strings.HasPrefix(line, "{"), strings.Contains(line, "submit_s"), commas == 11, commas == 12:
		return WorkloadSlot
	case strings.Contains(line, "cpu_milli") && strings.Contains(line, "creation_time"): // openb's pods
		return WorkloadSlot
	case strings.Contains(line, "overhead_s"):
		return OverheadsSlot
	case strings.Contains(line, "time_s") && strings.Contains(line, "event"):
		return HostEventsSlot
	case strings.Contains(line, "cpu") && strings.Contains(line, "memory"), commas == 5:
		return HostsSlot
	}
	return ""
}

func afterComma(line string) string {
	_, rest, _ := strings.Cut(line, ",")
	return rest
}
