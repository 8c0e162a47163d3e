package qos

// AlwaysShortlist makes lists of the best hosts pay, and returns what ends that.
func AlwaysShortlist() (end func()) {
	before := shortlistFrom
	shortlistFrom = 0
	return func() { shortlistFrom = before }
}
