package qos

// AlwaysShortlist makes the scheduler use lists of the best hosts, until end is called.
func AlwaysShortlist() (end func()) {
	before := shortlistFrom
	shortlistFrom = 0
	return func() { shortlistFrom = before }
}
