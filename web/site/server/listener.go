package server

import (
	"bytes"
	"net"
	"net/http"
	"regexp"
)

// always returns the headers of every response, as lines.
func (s *Site) always() []byte {
	header := http.Header{}
	s.rules.apply(header, "/")
	header.Del("Cache-Control") // depends on the path
	var lines bytes.Buffer
	header.Write(&lines) // writing to memory cannot fail
	return lines.Bytes()
}

// listener adds its header to responses that net/http sends by itself, for example to
// a malformed request.
type listener struct {
	net.Listener
	header []byte
}

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return conn{c, l.header}, nil
}

type conn struct {
	net.Conn
	header []byte
}

var failed = regexp.MustCompile(`^HTTP/1\.1 [45][^\r]*\r\n`)

// Write assumes that net/http writes the head of such a response in one call.
func (c conn) Write(p []byte) (int, error) {
	line := failed.Find(p)
	first, _, _ := bytes.Cut(c.header, []byte("\r\n"))
	if line == nil || bytes.Contains(p, first) {
		return c.Conn.Write(p)
	}
	if _, err := c.Conn.Write(bytes.Join([][]byte{line, p[len(line):]}, c.header)); err != nil {
		return 0, err
	}
	return len(p), nil
}
