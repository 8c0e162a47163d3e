package cluster

import "slices"

// Devices holds the free part of each device of a host, such as its GPUs: a [Unit] of an idle
// device, less of a shared one. An amount below a unit is a share of a single device; a larger
// amount is a number of whole devices.
type Devices []Amount

// taken is the value of a device that is taken as a whole.
const taken Amount = -1

// NewDevices returns n idle devices.
func NewDevices(n int) Devices { return slices.Repeat(Devices{Unit}, n) }

// Room returns the largest free part of any device, and the total of the idle devices.
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

// Take takes an amount, which must fit. A share comes from the device with the least free part that
// is large enough, the first of equal ones; whole devices are the first idle ones. It returns the
// device of a share, for [Devices.Give]; −1 for whole devices.
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

// Give returns an amount. Whole devices are interchangeable, so it frees any of the taken ones.
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

// maxTries limits the placements of shares that [Devices.TakeAll] tries.
const maxTries = 20_000

// TakeAll takes several amounts if they fit together, on any devices. Unlike a sequence of
// [Devices.Take] it searches all placements. If it gives up after maxTries, sure is false and the
// amounts may still fit. If fits is false, d is left undefined.
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

// takeShares takes shares in decreasing order, each from a device with the least free part first.
// Of several devices with the same free part it tries one.
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

// mayTake is a necessary condition for shares, in decreasing order, to fit: the total is free, and
// the devices have places for as many shares of the smallest size.
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
