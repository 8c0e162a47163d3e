package workload

import (
	"fmt"
	"slices"
	"testing"

	"berth/engine/cluster"
	"berth/engine/must"
	"berth/engine/sim"
)

func ids(t *testing.T, s Stream) []string {
	t.Helper()
	all := must.Get(ReadAll(s))(t)
	var names []string
	for _, r := range all {
		names = append(names, r.ID)
	}
	return names
}

// There are 10 CPUs: 7 of them at time 0 and 9 later. a (4) and c (3) are admitted at 0, b (4) is
// not. At 5 s d (2) fills the 9, and e (1) is not admitted. When a has ended, at 10 s, f (4) is. g
// requests more than any host has. h and i belong to a job that must be apart, and one host has a
// GPU.
func TestAdmission(t *testing.T) {
	request := func(id string, submit sim.Milliseconds, cpu int) Request {
		return Request{ID: id, Submit: submit * sim.Second, Duration: 10 * sim.Second, CPU: cluster.Amount(cpu) * cluster.Unit, Memory: 1}
	}
	g, h, i := request("g", 30, 1), request("h", 31, 1), request("i", 32, 1)
	g.Constraints = []cluster.Constraint{{Key: "gpu", Op: cluster.Greater, Value: "9"}}
	h.Constraints = []cluster.Constraint{{Key: "gpu", Op: cluster.Equal, Value: "1"}}
	h.AntiAffinity, h.Job = true, 5
	i.Constraints, i.AntiAffinity, i.Job = h.Constraints, true, 5
	hosts := []cluster.Host{
		{CPU: 5 * cluster.Unit, Memory: cluster.Unit, Attributes: []cluster.Attribute{{Key: "gpu", Value: "1"}}},
		{CPU: 5 * cluster.Unit, Memory: cluster.Unit},
	}
	s := must.Get(Admission{0.9, 0.7}.Filter(&Slice{Requests: []Request{
		request("a", 0, 4), request("b", 0, 4), request("c", 0, 3), request("d", 5, 2), request("e", 6, 1), request("f", 10, 4), g, h, i,
	}}, hosts))(t)
	if got, want := ids(t, s), []string{"a", "c", "d", "f", "h"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if _, err := (Admission{0.5, 0.7}).Filter(s, hosts); err == nil {
		t.Error("a start above the limit was taken")
	}
}

// In binary, 0.57·100 is less than 57, and 0.07·100 is more than 7.
func TestPartsAreDecimal(t *testing.T) {
	hosts := []cluster.Host{{CPU: 100 * cluster.Unit, Memory: cluster.Unit}}
	request := Request{ID: "a", Submit: 1, Duration: 1, CPU: 57 * cluster.Unit, Memory: 1}
	s := must.Get(Admission{0.57, 0.57}.Filter(&Slice{Requests: []Request{request}}, hosts))(t)
	if got := ids(t, s); len(got) != 1 {
		t.Error("57 of 100 are not let in at a limit of 0.57")
	}
	users := make([]User, 100)
	if got, err := SampleUsers(users, 1, 0.07, 1); err != nil || len(got) != 7 {
		t.Errorf("%d of 100 users, %v; want 7", len(got), err)
	}
	if got, err := SampleUsers(users[:1], 1, 1e-6, 1); err != nil || len(got) != 1 {
		t.Errorf("%d of one user, %v; want one", len(got), err)
	}
}

// There are three obvious groups: few requests, many, and few of very different durations. A tenth
// of 10, 20 and 30 users is 1, 2 and 3.
func TestSampleUsers(t *testing.T) {
	var users []User
	for u := range 60 {
		user := User{Name: fmt.Sprintf("%02d", u)}
		n, span := 4, 1
		if u >= 10 {
			n = 400
		}
		if u >= 30 {
			n, span = 4, 1000
		}
		for i := range n {
			user.Add(&Request{Duration: sim.Milliseconds(1+i%2*span) * sim.Second, CPU: 1, Memory: 1})
		}
		users = append(users, user)
	}
	got := must.Get(SampleUsers(users, 3, 0.1, 4))(t)
	count := [3]int{}
	for _, name := range got {
		switch {
		case name < "10":
			count[0]++
		case name < "30":
			count[1]++
		default:
			count[2]++
		}
	}
	if count != [3]int{1, 2, 3} {
		t.Errorf("%v were drawn of the groups, want 1, 2 and 3", count)
	}
	again, _ := SampleUsers(users, 3, 0.1, 4)
	if !slices.Equal(got, again) {
		t.Error("the same seed draws others")
	}
	if _, err := SampleUsers(users, 0, 0.1, 4); err == nil {
		t.Error("no groups were taken")
	}
}

func TestUsers(t *testing.T) {
	request := func(id, user string) Request { return Request{ID: id, User: user, CPU: 1, Memory: 1} }
	all := []Request{request("a", "zoe"), request("b", "ann"), request("c", "zoe")}
	users, err := Users(&Slice{Requests: all})
	if err != nil || len(users) != 2 || users[0].Name != "ann" || users[1].Requests != 2 {
		t.Errorf("got %+v, %v", users, err)
	}
	if got := ids(t, OfUsers(&Slice{Requests: all}, []string{"zoe"})); !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("got %v of zoe, want a and c", got)
	}
}
