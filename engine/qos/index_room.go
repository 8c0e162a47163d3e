package qos

// room returns the best host with room for a request, or -1.
func (f *fast) room(j Ref) int {
	f.s.operations++
	f.reindex()
	k := &f.s.instances[j]
	rank := f.index.Best(k.asks.CPU, k.asks.Memory, f.accepts(j))
	if rank < 0 {
		return -1
	}
	return int(f.atRank[rank])
}

// accepts returns a predicate on hosts, by rank, for the request's demands beyond CPU
// and memory; nil if it has none.
func (f *fast) accepts(j Ref) func(rank int) bool {
	k := &f.s.instances[j]
	if k.constraints == 0 && !k.antiAffinity && k.asks.Indexed() {
		return nil
	}
	return func(rank int) bool {
		h := int(f.atRank[rank])
		return f.s.hosts[h].Fits(&k.asks) && f.s.meetsConstraints(k, h)
	}
}
