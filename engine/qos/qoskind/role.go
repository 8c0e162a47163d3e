package qoskind

import "berth/engine/input/format/sniff"

// slotOf is where a text of a role belongs.
var slotOf = map[sniff.Role]string{
	sniff.Requests: WorkloadSlot, sniff.Hosts: HostsSlot, sniff.Overheads: OverheadsSlot, sniff.HostEvents: HostEventsSlot,
}

// Role returns the slot of a text by its beginning, "" if unknown.
func Role(text string) string {
	if found := sniff.Look(text, sniff.QoS); found.Is(sniff.QoS) && !found.Doubtful {
		return slotOf[found.Only(sniff.QoS)]
	}
	return ""
}
