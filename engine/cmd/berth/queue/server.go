package queue

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Server is a JetStream server within the process.
type Server struct {
	server *server.Server
	lock   *lock
}

// Embed starts a server with its files in a folder, which is made if there is none.
// A folder serves one process at a time.
func Embed(folder string) (*Server, error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	lock, err := lockFolder(folder)
	if err != nil {
		return nil, err
	}
	s, err := server.NewServer(&server.Options{
		ServerName: "berth", DontListen: true, JetStream: true, StoreDir: folder, NoSigs: true, NoLog: true,
	})
	if err != nil {
		lock.release()
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	s.Start()
	e := &Server{s, lock}
	if !s.ReadyForConnections(30*time.Second) || !s.JetStreamEnabled() {
		e.Close()
		return nil, fmt.Errorf("%s: the store cannot be opened: is there room on the disk, and may it be written?", folder)
	}
	return e, nil
}

// Connect returns a connection within the process.
func (s *Server) Connect() (*nats.Conn, error) {
	return nats.Connect("", nats.InProcessServer(s.server))
}

// Close stops the server when its files are written.
func (s *Server) Close() {
	s.server.Shutdown()
	s.server.WaitForShutdown()
	s.lock.release()
}

// Connect connects to a server elsewhere, and comes back by itself when the server
// was away; tell is told of both. Creds is a file of NATS credentials, or "".
func Connect(url, creds string, tell func(string)) (*nats.Conn, error) {
	options := []nats.Option{
		nats.Name("berth"), nats.MaxReconnects(-1), nats.ReconnectWait(500 * time.Millisecond),
		nats.DisconnectErrHandler(func(c *nats.Conn, err error) {
			if err != nil {
				tell("the server is away: waiting for it")
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { tell("the server is back") }),
	}
	if creds != "" {
		options = append(options, nats.UserCredentials(creds))
	}
	nc, err := nats.Connect(url, options...)
	if errors.Is(err, nats.ErrNoServers) {
		err = errors.New("no NATS server answers there")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", url, err)
	}
	return nc, nil
}
