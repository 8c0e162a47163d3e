// Package drawn draws small random scenarios of the three laboratories: [Placement], [QoS] and
// [Federate] return one scenario for each seed. Tests compare their reports with golden files. The
// scenarios of a few hundred seeds together use most fields of the documents, every strategy,
// policy and scheduler, and several input formats. Each scenario is valid and runs in a few
// milliseconds. A few have unreadable inputs, or jobs that cannot be placed; tests compare these
// errors and results too.
//
// A test that runs them must import package kinds, which registers the kinds of scenarios, the
// readers and the language of policies.
package drawn
