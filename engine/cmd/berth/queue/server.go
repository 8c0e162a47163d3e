package queue

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// silent keeps the NATS client from writing to standard error: every relevant error is returned by
// the call that failed.
var silent = nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})

// Patience is the time that a server may be away before the connection is given up.
var Patience = time.Minute

// ErrLost means that a server was away for longer than Patience.
var ErrLost = errors.New("the NATS server disconnected and did not return")

// Connect connects to one or more servers, given as URLs separated by commas. It reconnects by
// itself when the server was away for at most Patience, and passes a message to the function when
// the server goes away and when it is back. creds is a file of NATS credentials, or "". Errors begin
// with the place of the server, without its credentials.
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
