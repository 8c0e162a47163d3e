package scenario

// Engine names the engine by what it computes, in reports and wherever results are kept. It
// is the digest of the golden results of package everywhere: go test ./engine/everywhere
// -update writes this file.
const Engine = "9e5c63bbde"

// Earlier says that an engine that gives other results than this one, or may give them,
// computed a result; "" if this one did.
func Earlier(engine string) string {
	if engine == Engine {
		return ""
	}
	return "computed by an earlier engine (" + Shorten(engine) + ")"
}
