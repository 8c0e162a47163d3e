// Package drawn draws small scenarios of the three laboratories, for tests that compare
// reports with golden files: [Placement], [QoS] and [Federate] give one scenario a seed.
// Together the scenarios of some hundred seeds use most fields of the documents, every
// strategy, policy and scheduler, and several formats of the inputs. Each scenario is valid
// and runs in a few milliseconds. A few have inputs that cannot be read, and some jobs
// cannot be placed: tests compare these errors and results, too.
//
// Import packages kinds and readers to run them, and call [berth/engine/written.Register].
package drawn
