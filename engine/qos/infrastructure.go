package qos

import (
	"cmp"
	"fmt"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/input/workload"
	"berth/engine/sim"
)

// addHosts adds every host that will ever exist at the start of the run, so that
// indexes never grow. Hosts that come later start down.
func (s *system) addHosts(input Input) error {
	for _, h := range input.Hosts {
		if _, again := s.hostIndex[h.Name]; again {
			return fmt.Errorf("the host %.40q is given twice", h.Name)
		}
		if err := s.addHost(h, true); err != nil {
			return err
		}
	}
	for i, e := range input.HostEvents {
		if _, known := s.hostIndex[e.Host]; !known {
			if !e.Up {
				return eventError(i, &e, fmt.Errorf("removes the host %.40q, which does not exist", e.Host))
			}
			if err := s.addHost(HostOf(&e), false); err != nil {
				return eventError(i, &e, err)
			}
		}
		s.events.Push(event{At: e.At, Kind: hostEvent, Ref: uint32(i)})
	}
	s.hostEvents = input.HostEvents
	if len(s.hosts) > maxHosts {
		return fmt.Errorf("there are %d hosts; at most %d are allowed", len(s.hosts), maxHosts)
	}
	for rank, h := range sim.NewRandom(s.config.Seed, hostStream).Permutation(len(s.hosts)) {
		s.hosts[h].rank = int32(rank)
	}
	return nil
}

// eventError wraps an error with the position of its event: the line in its file, or
// the event's number.
func eventError(i int, e *workload.HostEvent, err error) error {
	if e.File != "" {
		return diag.New(e.File, e.Line, e.Column, diag.Invalid, err)
	}
	return &EventError{Event: cmp.Or(e.Line, i+1), Err: err}
}

func (s *system) addHost(h cluster.Host, up bool) error {
	if err := checkHost(&h); err != nil {
		return err
	}
	room := cluster.NewRoom(&h)
	s.capacity.Add(&room.All)
	if s.capacity.CPU > cluster.MaxTotal || s.capacity.Memory > cluster.MaxTotal {
		return fmt.Errorf("with the host %.40q there is more than 4e9 cpu or memory in all; expected a larger unit", h.Name)
	}
	s.hostIndex[h.Name] = len(s.hosts)
	s.hosts = append(s.hosts, host{Room: room, up: up})
	s.hostList = append(s.hostList, h)
	return nil
}

// changeHost takes a host down, displacing its instances, or brings it up.
func (s *system) changeHost(e *workload.HostEvent) {
	h := s.hostIndex[e.Host]
	host := &s.hosts[h]
	if host.up == e.Up {
		return
	}
	for len(host.instances) > 0 {
		last := host.instances[len(host.instances)-1]
		s.tell(HostLost, &s.instances[last], nowhere, 0)
		s.displace(last)
	}
	host.up = e.Up
	s.scheduler.hostChanged(h)
}
