package scenario

// Engine identifies the results of this engine, in reports and stores. It is the digest
// of the golden results of package everywhere: go test ./engine/everywhere -update writes
// this file.
const Engine = "005f02660b"

// Earlier describes the origin of a result from another engine, whose results may differ;
// "" for this engine.
func Earlier(engine string) string {
	if engine == Engine {
		return ""
	}
	return "computed by an earlier engine (" + Shorten(engine) + ")"
}
