package queue

import (
	"strings"
	"testing"
)

// Connection errors name the servers and contain no credentials.
func TestErrorsOfConnectingHoldNoCredentials(t *testing.T) {
	for servers, want := range map[string]string{
		"nats://u:hunter2@127.0.0.1:1":              "nats://127.0.0.1:1: no NATS server answers there",
		"nats://hunter2@127.0.0.1:1":                "nats://127.0.0.1:1: no NATS server answers there",
		"u:hunter2@127.0.0.1:1,v:hunter2@[::1]:1":   "nats://127.0.0.1:1,nats://[::1]:1: no NATS server answers there",
		"nats://u:hunter2@host:port":                "--nats: this is not a URL of a NATS server",
		"nats://u:hun/hunter2@127.0.0.1:1":          "--nats: this is not a URL of a NATS server",
		"nats://u:hunter2@127.0.0.1:1,nats://%zz@h": "--nats: this is not a URL of a NATS server",
	} {
		_, err := Connect(servers, "", func(string) {})
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s gives %q, want %q …", servers, err, want)
		}
	}
}
