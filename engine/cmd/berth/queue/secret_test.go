package queue

import (
	"strings"
	"testing"
)

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

// Errors of a connection say where the servers are, and hold no credentials.
func TestErrorsOfConnectingHoldNoCredentials(t *testing.T) {
	for servers, want := range map[string]string{
		"nats://u:hunter2@127.0.0.1:1":              "nats://***@127.0.0.1:1: no NATS server answers there",
		"u:hunter2@127.0.0.1:1,v:hunter2@[::1]:1":   "nats://***@127.0.0.1:1,nats://***@[::1]:1: no NATS server answers there",
		"nats://u:hunter2@host:port":                "nats://***@host:port: this is not a URL of a NATS server",
		"nats://u:hunter2@127.0.0.1:1,nats://%zz@h": "nats://***@127.0.0.1:1,nats://***@h: this is not a URL of a NATS server",
	} {
		_, err := Connect(servers, "", func(string) {})
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s gives %q, want %q …", servers, err, want)
		}
	}
}
