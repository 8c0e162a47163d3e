package qoskind

import "strings"

// Role guesses the slot of a text by its first line, "" if that does not tell.
func Role(text string) string {
	line, _, _ := strings.Cut(strings.TrimLeft(strings.TrimPrefix(text, "\ufeff"), " \t\r\n"), "\n")
	commas := strings.Count(line, ",")
	switch {
	case strings.HasPrefix(line, "{") && strings.HasPrefix(strings.TrimLeft(afterComma(line), " "), `"`):
		return HostsSlot // {id,"name",…}
	case strings.HasPrefix(line, "{"), strings.Contains(line, "submit_s"), commas == 11, commas == 12:
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
