// Package scenariotest makes inputs as users have them, and has a kind of scenario
// of its own, for tests.
package scenariotest
