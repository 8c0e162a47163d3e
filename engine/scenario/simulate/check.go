package simulate

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"

	"berth/engine/dot"
	"berth/engine/scenario/body"
	"berth/engine/sim"
	"berth/engine/workload"
)

// Checked is what a look at a single input found.
type Checked struct {
	Slot string `json:"slot"` // the one asked about, or what the text is for; "" if that is not clear
	// Count counts requests, hosts, overheads or events, as far as they were
	// read: all of them if there is no diagnostic.
	Count       int             `json:"count"`
	Format      string          `json:"format,omitempty"` // of a text with requests or hosts: see workload.Sniff
	Last        float64         `json:"last,omitempty"`   // submission of requests, s
	Mean        float64         `json:"mean,omitempty"`   // of overheads, s
	Diagnostics dot.Diagnostics `json:"diagnostics"`
}

// Check reads or generates a single input. The text of a source that has
// neither text nor recipe is opened in env under the slot.
func Check(ctx context.Context, slot string, s body.Source, env body.Env) Checked {
	c := Checked{Slot: slot, Diagnostics: dot.Diagnostics{}}
	err := c.check(ctx, slot, s, env)
	if err != nil && ctx.Err() == nil {
		e := Experiment{path: c.Slot}
		input, _ := errors.AsType[*body.InputError](e.problem("", err))
		if c.Diagnostics = input.Diagnostics; c.Diagnostics[0].File == body.DocumentName && s.Name != "" {
			c.Diagnostics[0].File = s.Name
		}
	}
	return c
}

func (c *Checked) check(ctx context.Context, slot string, s body.Source, env body.Env) error {
	if s.Recipe != nil {
		return c.recipe(s.Recipe)
	}
	open := func() (io.Reader, error) {
		r, size, err := env.Open(slot, &s)
		if err != nil {
			return nil, err
		}
		return body.NewReading(ctx, r, size, &env), nil
	}
	r, err := open()
	if err != nil {
		return err
	}
	format, r, err := workload.Sniff(r)
	if err != nil {
		return err
	}
	head := bufio.NewReader(r)
	if c.Slot == "" {
		line, _ := head.Peek(4096) // an error is that there is less
		c.Slot = Role(string(line))
	}
	switch c.Slot {
	case WorkloadSlot:
		c.Format = format
		source, err := workload.OpenRequests(s.Name, open)
		if err != nil {
			return err
		}
		return c.requests(source)
	case HostsSlot:
		c.Format = format
		hosts, _, err := workload.ReadHosts(s.Name, head)
		c.Count = len(hosts)
		return err
	case OverheadsSlot, HotSlot, ColdSlot:
		set, err := workload.Overheads(s.Name, head)
		c.overheads(set)
		return err
	case HostEventsSlot:
		events, err := workload.HostEvents(s.Name, head)
		c.Count = len(events)
		return err
	}
	return errors.New("it is not clear what the text is: expected requests, hosts, overheads (overhead_s) or host events (time_s,host,event)")
}

func (c *Checked) recipe(r *workload.Recipe) error {
	switch r.Generator {
	case RequestsGenerator:
		open, err := requests(r)
		if err != nil {
			return err
		}
		return c.requests(open())
	case OverheadsGenerator:
		set, err := overheads(r)
		c.overheads(set)
		return err
	}
	v, err := values(r)
	switch {
	case err != nil:
		return err
	case r.Preset == Validation:
		c.Count = len(workload.ValidationHosts())
	default:
		c.Count = int(v["count"]) // 0: it depends on the workload
	}
	return nil
}

func (c *Checked) overheads(set []sim.Time) {
	summary := summariseOverheads("", set)
	c.Count, c.Mean = summary.Count, summary.Mean
}

func (c *Checked) requests(source workload.Source) error {
	buffer := make([]workload.Request, 256)
	for {
		n, err := source.Read(buffer)
		c.Count += n
		if n > 0 {
			c.Last = seconds(buffer[n-1].Submit)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Role guesses the slot of a text by its first line, "" if that does not tell.
func Role(text string) string {
	line, _, _ := strings.Cut(strings.TrimLeft(strings.TrimPrefix(text, "\ufeff"), " \t\r\n"), "\n")
	commas := strings.Count(line, ",")
	switch {
	case strings.HasPrefix(line, "{") && strings.HasPrefix(strings.TrimLeft(afterComma(line), " "), `"`):
		return HostsSlot // {id,"name",…}
	case strings.HasPrefix(line, "{"), strings.Contains(line, "submit_s"), commas == 11, commas == 12:
		return WorkloadSlot
	case strings.Contains(line, "overhead_s"):
		return OverheadsSlot
	case strings.Contains(line, "time_s") && strings.Contains(line, "event"):
		return HostEventsSlot
	case strings.Contains(line, "cpu") && strings.Contains(line, "memory"), commas == 5:
		return HostsSlot
	}
	return ""
}

func afterComma(line string) string {
	_, rest, _ := strings.Cut(line, ",")
	return rest
}
