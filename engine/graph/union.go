package graph

// Union returns a deployment with the jobs, dependencies and rules of several deployments, in their
// order. A job's id is "deployment/job", with primes appended if needed to make it unique.
func Union(deployments []*Deployment, names []string) *Deployment {
	u := NewDeployment()
	for i, d := range deployments {
		from := u.Jobs().Len()
		for job := range d.Jobs().Len() {
			id := names[i] + "/" + d.Jobs().ID(job)
			for _, taken := u.Job(id); taken; _, taken = u.Job(id) {
				id += "'"
			}
			at := u.AddJob(id)
			u.Jobs().SetName(at, d.Jobs().Name(job))
			u.Jobs().Copy(at, d.Jobs(), job)
		}
		u.Rules = append(u.Rules, d.RulesBy(func(job int) []string { return []string{u.Jobs().ID(from + job)} })...)
		for k := range d.Dependencies().Len() {
			a, b := d.Ends(k)
			at, _ := u.AddDependency(from+a, from+b)
			u.Dependencies().Copy(at, d.Dependencies(), k)
		}
	}
	return u
}
