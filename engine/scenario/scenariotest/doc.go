// Package scenariotest provides inputs like those of users, and a minimal kind of scenario, for
// tests.
package scenariotest
