package cluster

import (
	"slices"
	"testing"

	"berth/engine/sim"
)

func TestDevices(t *testing.T) {
	d := NewDevices(3)
	half := Unit / 2
	first, second := d.Take(half), d.Take(Unit/4) // the second goes to the device of the first
	if first != 0 || second != 0 || !d.Fits(2*Unit) || d.Fits(3*Unit) {
		t.Fatalf("devices %d and %d, free %v", first, second, d)
	}
	d.Take(2 * Unit)
	if d.Fits(half) || !d.Fits(Unit/4) || d.Fits(Unit) {
		t.Errorf("free %v", d)
	}
	d.Give(2*Unit, -1)
	d.Give(half, first)
	if want := (Devices{3 * Unit / 4, Unit, Unit}); !slices.Equal(d, want) {
		t.Errorf("free %v, want %v", d, want)
	}
}

// No device gives more than it has, whatever is taken and given, and in the end all are free.
func TestDevicesAddUp(t *testing.T) {
	type part struct {
		amount Amount
		device int
	}
	r, d, all := sim.NewRandom(1, 0), NewDevices(4), []part(nil)
	for range 10_000 {
		ask := part{amount: []Amount{Unit / 3, Unit / 2, 1, Unit, 2 * Unit}[r.IntN(5)]}
		if i := r.IntN(8); i < len(all) {
			d.Give(all[i].amount, all[i].device)
			all = slices.Delete(all, i, i+1)
		} else if d.Fits(ask.amount) {
			ask.device = d.Take(ask.amount)
			all = append(all, ask)
		}
		var used Amount
		for _, p := range all {
			used += p.amount
		}
		for _, free := range d {
			if free > Unit || free < taken {
				t.Fatalf("free %v", d)
			}
			used += max(free, 0)
		}
		if used != 4*Unit {
			t.Fatalf("%d of %d are free or in use: %v", used, 4*Unit, d)
		}
	}
}
