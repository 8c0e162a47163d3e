// Package gap reads instances of the generalized assignment problem and its relatives in the
// formats of the literature: numbers between white space. Every job goes to exactly one agent, at
// the least total cost. The count of the numbers selects the format:
//
//   - GAP (OR-Library, Beasley 1990): agents, jobs; by agent the cost of each job; by agent
//     the amount that each job takes; the capacity of each agent.
//   - Several resources (Gavish and Pirkul 1991): agents, jobs, resources; by agent the cost
//     of each job; by agent and resource the amount of each job; by agent the capacity of
//     each resource.
//   - GQAP (Cordeau, Gaudioso, Laporte and Moccia 2006): jobs, agents, the price of traffic;
//     by job its traffic to each job; by agent its distance to each agent; by job its cost on
//     each agent; the amount of each job; the capacity of each agent.
//   - Task assignment (Billionnet, Costa and Sutter 1992; Elloumi): jobs, agents; by agent the
//     cost of each job; by job its price for each later job on another agent; the amount of
//     each job; the capacity of each agent. Words may follow.
package gap
