package queue

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"berth/engine/scenario"
)

// Patience is how long a server may be unreachable before the queue gives up the
// connection.
var Patience = time.Minute

// silent keeps the NATS client from writing to standard error. Each relevant error is returned by
// the call that failed.
var silent = nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})

// Connect connects to one or more servers, given as comma-separated URLs. creds is a file of NATS
// credentials, or "". The queue calls tell with messages about the servers and about each refused
// run or result. Messages and errors begin with the URLs of the servers.
func Connect(servers, creds string, tell func(string)) (*Queue, error) {
	place, err := placeOf(servers)
	if err != nil {
		return nil, err
	}
	say := func(text string) { tell(place + ": " + text) }
	nc, err := connect(servers, creds, say)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", place, err)
	}
	js, err := jetstream.New(nc)
	return newQueue(js, place, protocol+scenario.Engine, say), err
}

// placeOf returns the URLs of servers without their credentials.
func placeOf(servers string) (string, error) {
	list := strings.Split(servers, ",")
	for i, server := range list {
		if server = strings.TrimSpace(server); !strings.Contains(server, "://") {
			server = "nats://" + server // the default of NATS
		}
		u, err := url.Parse(server)
		if err != nil || u.Host == "" { // do not return err, which quotes the password
			return "", errors.New("--nats: this is not a URL of a NATS server. Use one such as nats://host:4222, with %-escapes in the password")
		}
		list[i] = u.Scheme + "://" + u.Host
	}
	return strings.Join(list, ","), nil
}

// connect returns a connection that reconnects by itself if the server is unreachable for at most
// Patience.
func connect(servers, creds string, say func(string)) (*nats.Conn, error) {
	var giveUp *time.Timer // needs no lock: NATS calls the handlers one after the other
	options := []nats.Option{
		nats.Name("berth"), nats.MaxReconnects(-1), nats.ReconnectWait(again), silent,
		nats.DisconnectErrHandler(func(c *nats.Conn, err error) {
			if err != nil {
				say(fmt.Sprintf("the server does not answer: waiting for up to %v", Patience))
				giveUp = time.AfterFunc(Patience, c.Close)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) {
			giveUp.Stop()
			say("the server answers again")
		}),
	}
	if creds != "" {
		options = append(options, nats.UserCredentials(creds))
	}
	nc, err := nats.Connect(servers, options...)
	if errors.Is(err, nats.ErrNoServers) {
		err = errors.New("no NATS server answers there. Start it, or check the host and the port")
	}
	return nc, err
}
