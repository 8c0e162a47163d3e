package scenario_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"berth/engine/scenario"
)

// allocated returns the total bytes that f allocates, freed or not.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Limits on the memory that reading a text may allocate: an amount for each of its bytes, and a
// fixed amount for tables and buffers, mostly for deflating.
const (
	perByte    = 512
	everyTime  = 4 << 20
	mostOfLink = 400 << 20 // for a link, whatever it unpacks to
)

// checkMemory fails if reading a text takes too much memory, or its error is too long.
func checkMemory(t testing.TB, what string, most int, read func() error) {
	t.Helper()
	var err error
	if used := allocated(func() { err = read() }); used > uint64(most) {
		t.Errorf("%.60q…: %d bytes allocated, at most %d are right", what, used, most)
	}
	if err != nil && len(err.Error()) > 16<<10 {
		t.Errorf("%.60q…: the message has %d bytes: %.300s…", what, len(err.Error()), err)
	}
}

// attacks returns documents that would take much more memory than their size; the fuzz tests always
// run them.
func attacks() []string {
	key := strings.Repeat("k", 1<<18)
	zeros := strings.Repeat("0,", 40_000) + "0"
	repeat := func(n int, item string) string { return strings.TrimSuffix(strings.Repeat(item+",", n), ",") }
	var keys strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&keys, `"%06d":0,`, i)
	}
	return []string{
		`{"version":1,"` + key + `":[` + zeros + `]}`,
		strings.Repeat(`{"`+key+`":`, 16) + "0" + strings.Repeat("}", 16),
		strings.Repeat(`{"`+key[:200]+`":`, 15) + "[" + zeros + "]" + strings.Repeat("}", 15),
		`{"version":1,"x":[` + repeat(25_000, `{"":0}`) + `]}`,
		`{"version":1,"x":[` + repeat(3_000, strings.Repeat(`{"":`, 13)+"0"+strings.Repeat("}", 13)) + `]}`,
		`{"version":1,` + keys.String() + `"kind":"qos"}`,
		`{"version":1,"kind":"qos"` + strings.Repeat(`,"kind":0`, 40_000) + "}",
		strings.Repeat("[", 5_000) + strings.Repeat("]", 5_000),
		`{"version":1,"kind":"qos","qos":{"controllers":[` + repeat(125_000, "{}") + `]}}`,
		`{"version":1,"kind":"placement","placement":{"deployments":[` + repeat(125_000, "0") + `]}}`,
		`{"version":1,"kind":"placement","placement":{"federation":{"name":"","recipe":{"generator":"federation","preset":"x","seed":1,"parameters":{` + keys.String() + `"x":1}}}}}`,
		`{"version":1,"kind":"` + key + `","` + key[:100] + `":"` + key + `"}`,
		`{"version":` + strings.Repeat("1", 1<<18) + `}`,
		`{"version":1,"kind":"federate","federate":{"sweep":[` + repeat(15_000, `{"parameter":"gms","values":[1]}`) + `]}}`,
		`{"version":1,"kind":"federate","federate":{"constraints":[` + repeat(15_000, `{"machine":[1]}`) + `]}}`,
		`{"version":1,"kind":"qos","qos":{"classes":[` + repeat(8_000, `{"name":"a","bonus":[{}]}`) + `]}}`,
		`{"version":1,"name":"` + strings.Repeat(`\u0000`, 1<<15) + `"}`,
		strings.Repeat(" ", 1<<20),
		`{` + keys.String(),
	}
}

// A short link may hold the largest document.
func TestTheLargestLinkCostsLittle(t *testing.T) {
	item := `{"":{"":{"":{"":{"":{"":{"":{"":{"":{"":{"":{"":0}}}}}}}}}}}},`
	link := pack(t, []byte(`{"version":1,"x":[`+strings.Repeat(item, scenario.MaxLinkBytes/len(item)-10)+`0]}`))
	checkMemory(t, link, mostOfLink, func() error { _, err := scenario.DecodeLink(link); return err })
}
