package bridge

import (
	"strings"
	"testing"
)

func TestDecodeHead(t *testing.T) {
	for _, h := range []Head{
		{ID: 1, Kind: KindCall, Method: MethodRun},
		{ID: 2, Kind: KindCall, Method: MethodDocument, Scenario: "0123456789abcdef"},
		{ID: 1<<64 - 1, Kind: KindResult, Scenario: "0123456789abcdef"},
		{ID: 3, Kind: KindProgress}, {ID: 3, Kind: KindError},
	} {
		got, err := DecodeHead(h.Encode())
		if err != nil || got != h {
			t.Errorf("%+v came back as %+v, %v", h, got, err)
		}
	}
}

func TestDecodeHeadRefuses(t *testing.T) {
	for input, want := range map[string]string{
		``:                                    "EOF",
		`[]`:                                  "cannot unmarshal",
		`{"id":1,"kind":"call"}`:              "without a method",
		`{"id":1,"kind":"shout"}`:             `unknown kind of message "shout"`,
		`{"kind":"result"}`:                   "without the id",
		`{"id":-1,"kind":"result"}`:           "cannot unmarshal",
		`{"id":1,"kind":"result","colour":1}`: `unknown field "colour"`,
		`{"id":1,"kind":"result"} {}`:         "more than one",
		`{"id":1,"kind":"crash"}`:             `unknown kind of message "crash"`,
		`{"id":1,"kind":"` + strings.Repeat("x", maxHead) + `"}`: "at most 4096",
	} {
		if _, err := DecodeHead([]byte(input)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, expected %q", input, err, want)
		}
	}
}

func TestDecodeBodyRefuses(t *testing.T) {
	for input, want := range map[string]string{
		`{"id":1`:      "unexpected EOF",
		`{"colour":1}`: "unknown field",
		`{} {}`:        "more than one",
	} {
		err := Message{Body: []byte(input)}.DecodeBody(&CallBody[struct{}]{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %q", input, err, want)
		}
	}
}

// DecodeHead accepts what Encode writes of a head that it accepted, unchanged.
func FuzzDecodeHead(f *testing.F) {
	f.Add([]byte(`{"id":1,"kind":"call","method":"run"}`))
	f.Add([]byte(`{"id":7,"kind":"result","scenario":"0123456789abcdef"}`))
	f.Add([]byte(`{"id":7,"kind":"progress"}{"id":8}`))
	f.Add([]byte("{\"id\":7,\"kind\":\"error\",\"method\":\"\xff\"}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := DecodeHead(data)
		if err != nil || len(h.Encode()) > maxHead { // escapes are longer than the characters they encode
			return
		}
		again, err := DecodeHead(h.Encode())
		if err != nil || again != h {
			t.Errorf("%q: %+v came back as %+v, %v", data, h, again, err)
		}
	})
}
