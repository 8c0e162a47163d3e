package cluster

import "slices"

// Devices holds the free part of each device of a host, such as its GPUs: [Unit] for an idle
// device, less for a shared one. An amount below Unit is a share of one device; a larger amount is
// a number of whole devices.
type Devices []Amount

// taken marks a device that is taken as a whole.
const taken Amount = -1

// NewDevices returns n idle devices.
func NewDevices(n int) Devices { return slices.Repeat(Devices{Unit}, n) }

// Room returns the largest free part of any device, and the total of all idle devices.
func (d Devices) Room() (one, whole Amount) {
	for _, free := range d {
		one = max(one, free)
		if free == Unit {
			whole += free
		}
	}
	return one, whole
}

// Fits reports whether the devices have room for an amount.
func (d Devices) Fits(amount Amount) bool {
	if amount == 0 {
		return true
	}
	one, whole := d.Room()
	return amount < Unit && amount <= one || amount <= whole
}

// Take takes an amount, which must fit. A share comes from the device with the smallest sufficient
// free part, the first of equal ones; whole devices are the first idle ones. It returns the device
// of a share, for [Devices.Give], and −1 for whole devices.
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

// Give releases an amount that Take took. Whole devices are interchangeable, so it frees any that
// are taken as a whole.
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

// maxTries limits the search steps of [Devices.TakeAll].
const maxTries = 20_000

// TakeAll takes several amounts if they fit together, on any devices. Unlike repeated
// [Devices.Take], it searches all assignments. If it gives up after maxTries, sure is false: the
// amounts may still fit. If fits is false, the content of d is undefined.
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

// takeShares takes shares in decreasing order. For each it tries the devices in increasing order of
// their free part, and only one of several devices with equal free parts.
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

// mayTake reports a necessary condition for shares, in decreasing order, to fit: the devices have
// room for their total, and for as many shares of the smallest size.
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
