package cluster

// Resources is an amount of each resource: the demand of a request, or the capacity of a host. GPUs
// is a number of whole devices or, if it is less than a [Unit], a share of one device.
type Resources struct{ CPU, Memory, GPUs Amount }

// Add adds the amounts of more to r.
func (r *Resources) Add(more *Resources) {
	r.CPU, r.Memory, r.GPUs = r.CPU+more.CPU, r.Memory+more.Memory, r.GPUs+more.GPUs
}

// Sub subtracts the amounts of less from r. The result may be negative.
func (r *Resources) Sub(less *Resources) {
	r.CPU, r.Memory, r.GPUs = r.CPU-less.CPU, r.Memory-less.Memory, r.GPUs-less.GPUs
}

// Raise raises each amount of r to at least the amount of least.
func (r *Resources) Raise(least *Resources) {
	r.CPU, r.Memory, r.GPUs = max(r.CPU, least.CPU), max(r.Memory, least.Memory), max(r.GPUs, least.GPUs)
}

// Within reports whether no amount of r exceeds the amount in most.
func (r *Resources) Within(most *Resources) bool {
	return r.CPU <= most.CPU && r.Memory <= most.Memory && r.GPUs <= most.GPUs
}

// Indexed reports whether an [Index] alone can decide which hosts have room for the demand. An
// Index does not cover GPUs.
func (r *Resources) Indexed() bool { return r.GPUs == 0 }

// Resources returns the capacity of the host.
func (h *Host) Resources() Resources { return Resources{h.CPU, h.Memory, Amount(h.GPUs) * Unit} }

// Room is the capacity of a host and its free part.
type Room struct {
	All, Free Resources
	devices   Devices
}

// NewRoom returns the room of an empty host.
func NewRoom(h *Host) Room { return Room{h.Resources(), h.Resources(), NewDevices(h.GPUs)} }

// Copy copies another room into r and reuses the memory of r.
func (r *Room) Copy(of *Room) {
	r.All, r.Free, r.devices = of.All, of.Free, append(r.devices[:0], of.devices...)
}

// Fits reports whether the host has room for a demand.
func (r *Room) Fits(asks *Resources) bool {
	return asks.CPU <= r.Free.CPU && asks.Memory <= r.Free.Memory && (asks.GPUs == 0 || r.devices.Fits(asks.GPUs))
}

// Take takes a demand, which must fit, and returns a token for [Room.Give].
func (r *Room) Take(asks *Resources) (token int16) {
	if r.Free.Sub(asks); asks.GPUs > 0 {
		token = int16(r.devices.Take(asks.GPUs))
	}
	return token
}

// Give releases a demand. token is the result of the [Room.Take] that took it.
func (r *Room) Give(asks *Resources, token int16) {
	if r.Free.Add(asks); asks.GPUs > 0 {
		r.devices.Give(asks.GPUs, int(token))
	}
}

// IdleGPUs returns the total of the devices that are completely free.
func (r *Room) IdleGPUs() Amount {
	_, whole := r.devices.Room()
	return whole
}
