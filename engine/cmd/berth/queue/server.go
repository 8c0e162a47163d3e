package queue

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
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
		return nil, fmt.Errorf("%s: the store cannot be opened: check the space on the disk and your rights to write there", folder)
	}
	return e, nil
}

// Connect returns a connection within the process.
func (s *Server) Connect() (*nats.Conn, error) {
	return nats.Connect("", nats.InProcessServer(s.server), silent)
}

// silent keeps the NATS client from writing to standard error itself: whatever matters
// comes back as the error of what was asked.
var silent = nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})

// Close stops the server when its files are written.
func (s *Server) Close() {
	s.server.Shutdown()
	s.server.WaitForShutdown()
	s.lock.release()
}

// Patience is how long a server may be away before its connection is given up.
var Patience = time.Minute

// ErrLost says that a server was away for longer than Patience.
var ErrLost = errors.New("the NATS server disconnected and did not return")

// Connect connects to servers elsewhere, one or more URLs, and comes back by itself when
// the server was away, but not for longer than Patience; tell is told of both. Creds is a
// file of NATS credentials, or "". Errors begin with the place, without its credentials.
func Connect(servers, creds string, tell func(string)) (*nats.Conn, error) {
	servers = withSchemes(servers)
	place := Place(servers)
	for server := range strings.SplitSeq(servers, ",") {
		if u, err := url.Parse(server); err != nil || u.Host == "" {
			return nil, fmt.Errorf("%s: this is not a URL of a NATS server. Use one such as nats://host:4222, with %%-escapes in the password", place)
		}
	}
	var giveUp *time.Timer // the handlers are called one after the other
	options := []nats.Option{
		nats.Name("berth"), nats.MaxReconnects(-1), nats.ReconnectWait(500 * time.Millisecond), silent,
		nats.DisconnectErrHandler(func(c *nats.Conn, err error) {
			if err != nil {
				tell(fmt.Sprintf("%s: the server does not answer: waiting for up to %v", place, Patience))
				giveUp = time.AfterFunc(Patience, c.Close)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) {
			giveUp.Stop()
			tell(place + ": the server answers again")
		}),
	}
	if creds != "" {
		options = append(options, nats.UserCredentials(creds))
	}
	nc, err := nats.Connect(servers, options...)
	if errors.Is(err, nats.ErrNoServers) {
		err = errors.New("no NATS server answers there. Start it, or check the host and the port")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", place, err)
	}
	return nc, nil
}
