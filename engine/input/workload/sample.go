package workload

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"berth/engine/sim"
)

// User has the features that are used to sample users (section 4.2 of the paper,
// 4.2.1 of the thesis): the number of requests and the variances of their durations,
// CPU and memory.
type User struct {
	Name     string
	Requests int
	duration moments
	cpu      moments
	memory   moments
}

// moments computes mean and variance by Welford's method.
type moments struct{ n, mean, squares float64 }

func (m *moments) add(x float64) {
	m.n++
	d := x - m.mean
	m.mean += d / m.n
	m.squares += float64(d * (x - m.mean))
}

func (m *moments) variance() float64 {
	if m.n < 2 {
		return 0
	}
	return m.squares / (m.n - 1)
}

// Add adds one of the user's requests.
func (u *User) Add(r *Request) {
	u.Requests++
	u.duration.add(float64(r.Duration) / 1000)
	u.cpu.add(r.CPU.Units())
	u.memory.add(r.Memory.Units())
}

// SampleUsers clusters users by k-means on standardised features and draws a fraction
// of each group at random, at least one user. The thesis uses 6 groups and 10 %. It
// returns the names in the order of the users.
func SampleUsers(users []User, groups int, part float64, seed uint64) ([]string, error) {
	if groups < 1 || !(part > 0 && part <= 1) {
		return nil, fmt.Errorf("%d groups and a part of %v: expected at least 1 and a part in (0, 1]", groups, part)
	}
	r := sim.NewRandom(seed, sampleStream)
	member := kMeans(features(users), groups, r)
	chosen := make([]bool, len(users))
	for g := range groups {
		var of []int
		for i := range users {
			if member[i] == g {
				of = append(of, i)
			}
		}
		n := math.Ceil(float64(part*float64(len(of))) - 1e-9) // tolerance: in floating point 0.07 of 100 is more than 7
		for _, i := range r.Permutation(len(of))[:int(n)] {
			chosen[of[i]] = true
		}
	}
	var names []string
	for i := range users {
		if chosen[i] {
			names = append(names, users[i].Name)
		}
	}
	return names, nil
}

const userFeatures = 4

type feature [userFeatures]float64

// features returns the standardised features of the users.
func features(users []User) []feature {
	all := make([]feature, len(users))
	var of [userFeatures]moments
	for i := range users {
		u := &users[i]
		all[i] = feature{float64(u.Requests), u.duration.variance(), u.cpu.variance(), u.memory.variance()}
		for d := range of {
			of[d].add(all[i][d])
		}
	}
	for i := range all {
		for d := range of {
			if deviation := math.Sqrt(of[d].variance()); deviation > 0 {
				all[i][d] = (all[i][d] - of[d].mean) / deviation
			}
		}
	}
	return all
}

// mostRounds limits k-means, which converges much earlier.
const mostRounds = 1000

// kMeans is Lloyd's algorithm with initial centres from k-means++. It returns the
// group of each point.
func kMeans(points []feature, k int, r *sim.Random) []int {
	member := make([]int, len(points))
	if len(points) == 0 {
		return member
	}
	centres := spread(points, k, r)
	for range mostRounds {
		changed := false
		for i := range points {
			if g := nearest(&points[i], centres); g != member[i] {
				member[i], changed = g, true
			}
		}
		if !changed {
			break
		}
		recentre(points, member, centres)
	}
	return member
}

// spread draws each centre with a probability proportional to the squared distance
// from the nearest earlier centre (k-means++).
func spread(points []feature, k int, r *sim.Random) []feature {
	centres := []feature{points[r.IntN(len(points))]}
	for len(centres) < k {
		var sum float64
		far := make([]float64, len(points))
		for i := range points {
			far[i] = distance(&points[i], &centres[nearest(&points[i], centres)])
			sum += far[i]
		}
		at, i := r.Float64()*sum, 0
		for i < len(points)-1 && at >= far[i] {
			at -= far[i]
			i++
		}
		centres = append(centres, points[i])
	}
	return centres
}

func nearest(p *feature, centres []feature) int {
	best, least := 0, math.Inf(1)
	for g := range centres {
		if d := distance(p, &centres[g]); d < least {
			best, least = g, d
		}
	}
	return best
}

func distance(a, b *feature) (squared float64) {
	for d := range a {
		squared += float64((a[d] - b[d]) * (a[d] - b[d]))
	}
	return squared
}

// recentre moves each centre to the mean of its group. Centres of empty groups stay.
func recentre(points []feature, member []int, centres []feature) {
	sums, n := make([]feature, len(centres)), make([]float64, len(centres))
	for i, g := range member {
		n[g]++
		for d := range points[i] {
			sums[g][d] += points[i][d]
		}
	}
	for g := range centres {
		if n[g] == 0 {
			continue
		}
		for d := range sums[g] {
			centres[g][d] = sums[g][d] / n[g]
		}
	}
}

// MaxUsers limits the number of users, because k-means would take too long.
const MaxUsers = 20_000

// Users reads a stream to its end and returns the features of its users, sorted by
// name. More than [MaxUsers] are an error.
func Users(s Stream) ([]User, error) {
	var users []User
	at := map[string]int{}
	err := Each(s, func(r *Request) error {
		u, known := at[r.User]
		if !known {
			u = len(users)
			if u == MaxUsers {
				return fmt.Errorf("there are more than %d users, too many to group them", MaxUsers)
			}
			name := strings.Clone(r.User)
			at[name] = u
			users = append(users, User{Name: name})
		}
		users[u].Add(r)
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(users, func(a, b User) int { return cmp.Compare(a.Name, b.Name) })
	return users, nil
}

// OfUsers returns the requests submitted by the users with the given names.
func OfUsers(s Stream, names []string) Stream {
	of := map[string]bool{}
	for _, name := range names {
		of[name] = true
	}
	return filtered{s, func(r *Request) bool { return of[r.User] }}
}
