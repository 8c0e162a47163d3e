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

// maxTries is how many places for shares of devices [Devices.TakeAll] tries.
const maxTries = 20_000

// TakeAll takes amounts if they fit together, on whatever devices they go: unlike
// [Devices.Take], of one after the other, it tries every way. Sure is false where it gave
// up: then there may be one. Where they do not fit, what is left is undefined.
func (d Devices) TakeAll(amounts []Amount) (fits, sure bool) {
	amounts = slices.Clone(amounts)
	slices.Sort(amounts)
	slices.Reverse(amounts)
	for len(amounts) > 0 && amounts[0] >= Unit {
		if !d.Fits(amounts[0]) {
			return false, true
		}
		d.Take(amounts[0])
		amounts = amounts[1:]
	}
	tries := 0
	fits = d.takeShares(amounts, &tries)
	return fits, fits || tries <= maxTries
}

// takeShares takes shares of devices, the largest first, each from the device with the least
// free first. Of devices with as much free one is tried.
func (d Devices) takeShares(shares []Amount, tries *int) bool {
	if len(shares) == 0 {
		return true
	}
	if *tries++; *tries > maxTries || !d.mayTake(shares) {
		return false
	}
	for tried := Amount(0); ; {
		device := -1
		for i, free := range d {
			if free >= shares[0] && free > tried && (device < 0 || free < d[device]) {
				device = i
			}
		}
		if device < 0 {
			return false
		}
		tried = d[device]
		d[device] -= shares[0]
		if d.takeShares(shares[1:], tries) {
			return true
		}
		d[device] += shares[0]
	}
}

// mayTake bounds what is free of shares, the largest first: it is false if there is too
// little for all, or if as many as there are do not fit though all were as small as the last.
func (d Devices) mayTake(shares []Amount) bool {
	var wanted, have, places Amount
	least := shares[len(shares)-1]
	for _, share := range shares {
		wanted += share
	}
	for _, free := range d {
		have += max(free, 0)
		places += max(free, 0) / least
	}
	return wanted <= have && places >= Amount(len(shares))
}
