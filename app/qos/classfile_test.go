//go:build !js

package qos

import (
	"reflect"
	"strings"
	"testing"

	"berth/app/lab"
	"berth/engine/must"
	"berth/engine/qos/qoskind"
)

func TestClassesAreTakenFromAFile(t *testing.T) {
	b := smallQoS(t)
	rest := b.fields.takeClasses([]*lab.Source{
		lab.TextSource("e.csv", "time_s,host,event\n"),
		lab.TextSource("c.json", `[{"name":"gold","slo":0.99},{"name":"silver","slo":0.5,"margin":"5s"},{"name":"bronze","slo":0.3}]`),
	})
	if len(rest) != 1 || rest[0].Name != "e.csv" {
		t.Errorf("left are %v", rest)
	}
	b.Edited(0)
	b.wantDone()
	want := []qoskind.Class{
		{Name: "gold", SLO: 0.99, Importance: 1}, {Name: "silver", SLO: 0.5, Importance: 2, Margin: new(5.0)}, {Name: "bronze", SLO: 0.3, Importance: 3},
	}
	if got := b.Inputs.classes(); !reflect.DeepEqual(got, want) || b.result.report().Classes[1].SLO != 0.5 {
		t.Errorf("the table is %+v, the run had %+v", got, b.result.report().Classes)
	}
	// The download is the same table.
	data := must.Get(qoskind.EncodeRows(b.Inputs.classes()))(t)
	b.fields.useClasses(lab.TextSource("again.json", string(data)))
	if got := b.Inputs.classes(); !reflect.DeepEqual(got, want) {
		t.Errorf("the downloaded table is %+v", got)
	}
	b.fields.useClasses(lab.TextSource("bad.json", "[\n{\"name\":\"a\",\"slo\":2}]"))
	if !strings.HasPrefix(b.Files.Trouble, "bad.json:2:19: [0].slo: found 2") || len(b.Inputs.classes()) != 3 {
		t.Errorf("trouble %q, classes %+v", b.Files.Trouble, b.Inputs.classes())
	}
}
