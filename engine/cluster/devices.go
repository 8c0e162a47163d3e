package cluster

import "slices"

// Devices is how much of each device of a host is free, such as of its GPUs: a [Unit] of
// one that nothing has, less of one that is shared. An amount below a unit is a share of
// one device; a larger one is of whole devices.
type Devices []Amount

// taken is what a device has free that one has as a whole.
const taken Amount = -1

// NewDevices returns devices that are free.
func NewDevices(n int) Devices { return slices.Repeat(Devices{Unit}, n) }

// Room is the most that is free on one device, and how much is free on devices that are
// free altogether.
func (d Devices) Room() (one, whole Amount) {
	for _, free := range d {
		one = max(one, free)
		if free == Unit {
			whole += free
		}
	}
	return one, whole
}

// Fits reports whether there is room for an amount.
func (d Devices) Fits(amount Amount) bool {
	if amount == 0 {
		return true
	}
	one, whole := d.Room()
	return amount < Unit && amount <= one || amount <= whole
}

// Take takes an amount that fits: a share of the device with the least free that has
// enough, of equal ones the first; whole devices are the first that are free. The device
// of a share is for [Devices.Give].
func (d Devices) Take(amount Amount) (device int) {
	device = -1
	for i, free := range d {
		switch {
		case amount >= Unit && free == Unit:
			d[i] = taken
			amount -= Unit
		case amount > 0 && free >= amount && (device < 0 || free < d[device]):
			device = i
		}
	}
	if amount > 0 {
		d[device] -= amount
	}
	return device
}

// Give gives an amount back. Devices that are taken as a whole are all alike: which of
// them becomes free makes no difference.
func (d Devices) Give(amount Amount, device int) {
	if amount > 0 && amount < Unit {
		d[device] += amount
		return
	}
	for i := 0; amount > 0; i++ {
		if d[i] == taken {
			d[i] = Unit
			amount -= Unit
		}
	}
}
