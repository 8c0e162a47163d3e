package queue

import "testing"

func TestMasked(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "",
		"nats://host:4222":          "nats://host:4222",
		"nats://u:p@host":           "nats://***@host",
		"nats://token@host/x":       "nats://***@host/x",
		"tls://u:p@ss@host":         "tls://***@host",
		"nats://u:p/w@host":         "nats://***@host",
		"nats://u:p@a,nats://v:q@b": "nats://***@a,nats://***@b",
		"nats://u:p@a,v:q@b":        "nats://***@b",
		"nats://a,tls://v:q@b":      "nats://a,tls://***@b",
		"nats://a,b":                "nats://a,b",
		"at https://example.org/@someone, \"nats://u:p@h\" and mail a@b": "at https://example.org/@someone, \"nats://***@h\" and mail a@b",
		"berth: nats://u:p@h: x\nnats://u:p@h\n":                         "berth: nats://***@h: x\nnats://***@h\n",
	} {
		if got := Masked(text); got != want {
			t.Errorf("%q is said as %q, want %q", text, got, want)
		}
	}
	if got := Place("u:p@h, nats://b"); got != "nats://***@h,nats://b" {
		t.Errorf("the place is %q", got)
	}
}
