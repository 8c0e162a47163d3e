package scenario_test

import (
	"reflect"
	"slices"
	"testing"

	"berth/engine/scenario"
)

func FuzzDecode(f *testing.F) {
	f.Add([]byte(minimal))
	f.Add([]byte(`{"version":1,"kind":"placement","placement":{"federation":{"name":"","recipe":{"generator":"federation","preset":"thesis","seed":1,"parameters":{"n_nodes":50}}},"deployments":[{"name":"","recipe":{"generator":"deployment","preset":"thesis","seed":2,"index":3}}],"strategies":[{"name":"random","seeds":20}],"phi":0.001,"budget":10,"center":"0","strict":true,"consumeBandwidth":true}}`))
	f.Add([]byte(`{"version":1,"kind":"qos","qos":{"workload":{"name":"w.csv"},"hosts":{"name":"","recipe":{"generator":"hosts","preset":"google-like","seed":1,"parameters":{"part":0.8}}},"classes":[{"name":"a","slo":0.9,"bonus":[],"priorities":[0,1],"margin":3}],"policies":[{"name":"hybrid","label":"h","hybridLimit":5,"savings":{"relaxed":0.05,"pruning":"safe"}}],"hostEvents":[{"time":1,"host":"h","event":"fail"}],"sample":{"part":0.1,"groups":6,"seed":2},"admission":{"limit":0.95,"atStart":0.75},"pointEvery":0,"seeds":3}}`))
	f.Add([]byte(`{"version":1,"kind":"qos","qos":{"hosts":{"name":"h.csv"},"policies":[{"name":"qos"}],"horizon":60,"controllers":[{"name":"w","kind":"deployment","class":"gold","copies":2,"interval":1,"replicas":2,"cpu":1,"memory":1,"measure":"concurrent","antiAffinity":true,"constraints":["a=b"]},{"name":"b","kind":"cronjob","class":"gold","completions":3,"parallelism":2,"period":5,"runs":2,"cpu":1,"memory":1,"submit":3,"duration":4}]}}`))
	f.Add([]byte(`{"version":1,"kind":"federate","federate":{"trace":{"name":"","recipe":{"generator":"jobs","preset":"google","seed":1,"parameters":{"jobs":5}}},"load":0.5,"workers":8,"gms":2,"lms":2,"capacity":{"cpu":4},"constraints":[{"machine":[0.5]}],"shares":[0.1,0.2,0.3,0.4],"preset":"paper","heartbeat":5,"costs":{"take":0},"outages":[{"subject":"lm","index":1,"at":1,"duration":2}],"schedulers":["megha"],"pigeon":{"groupSize":4,"reserved":1,"cutoff":9,"weight":1},"seeds":2,"sweep":[{"parameter":"gms","values":[1,2]},{"parameter":"heartbeat","values":[0.5]}]}}`))
	f.Add([]byte(`{"version":0,"a":{"b":[1,null,true,"x"]},"a":2}`))
	f.Add([]byte("{\"version\":1,\n\"kind\":\xff}"))
	for _, text := range attacks() {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var s scenario.Scenario
		var err error
		checkMemory(t, string(data), everyTime+perByte*len(data), func() error { s, err = scenario.Decode(data); return err })
		if err != nil {
			return
		}
		again, err := scenario.Decode(scenario.Encode(s))
		if err != nil || !equivalent(again, s) {
			t.Fatalf("%+v\nreads back as\n%+v, %v", s, again, err)
		}
	})
}

func FuzzDecodeLink(f *testing.F) {
	f.Add(pack(f, []byte(minimal)))
	f.Add("#s=1.")
	f.Add("2.abc")
	f.Add("https://berth.example/#s=1.q1YqLsmPLy1KVbJSKs5ILUpVqgUA")
	for _, text := range attacks() {
		f.Add(pack(f, []byte(text)))
	}
	f.Add("2.q1YqLsmPLy1KVbJSKs5ILUpVqgUA.AAAAAA")
	f.Fuzz(func(t *testing.T, link string) {
		var s scenario.Scenario
		var err error
		checkMemory(t, link, mostOfLink, func() error { s, err = scenario.DecodeLink(link); return err })
		if err != nil {
			return
		}
		packed, err := scenario.EncodeLink(s)
		if slices.ContainsFunc(s.Slots(), func(s scenario.Slot) bool { return s.Source.Beside() }) {
			if err == nil {
				t.Fatal("a link carries a file")
			}
			return
		}
		if err != nil {
			t.Fatalf("decoded but not encoded again: %v", err)
		}
		if again, err := scenario.DecodeLink(packed); err != nil || !equivalent(again, s) {
			t.Fatalf("%+v\nreads back as\n%+v, %v", s, again, err)
		}
	})
}

// equivalent compares the bytes of scenarios, because an empty map of parameters is not written.
func equivalent(a, b scenario.Scenario) bool {
	return reflect.DeepEqual(a, b) || string(scenario.Encode(a)) == string(scenario.Encode(b))
}
