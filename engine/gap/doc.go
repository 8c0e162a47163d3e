// Package gap reads instances of the generalized assignment problem in the format
// of the OR-Library (Beasley 1990): numbers between white space, the number of
// agents and of jobs, then by agent the cost of each job, then by agent the amount
// that each job takes, then the capacity of each agent. Every job goes to exactly
// one agent, at the least cost.
package gap
