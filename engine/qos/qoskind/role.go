package qoskind

import "berth/engine/input/format/sniff"

var slotOf = map[sniff.Role]string{
	sniff.Requests: WorkloadSlot, sniff.Hosts: HostsSlot, sniff.Overheads: OverheadsSlot, sniff.HostEvents: HostEventsSlot,
}

// Role returns the slot for a text, judged by its beginning; "" if the text is not recognised.
func Role(text string) string {
	if found := sniff.Look(text, sniff.QoS); found.Is(sniff.QoS) && !found.Doubtful {
		return slotOf[found.Only(sniff.QoS)]
	}
	return ""
}
