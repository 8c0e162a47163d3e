package federate

// Unregister removes a scheduler that a test has registered.
func Unregister(name string) {
	others := newRegistry()
	for _, other := range schedulers.Names() {
		if p, _ := schedulers.Lookup(other); other != name {
			if err := others.Add(p); err != nil {
				panic(err)
			}
		}
	}
	schedulers = others
}
