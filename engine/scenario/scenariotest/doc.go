// Package scenariotest makes inputs as users have them, for tests.
package scenariotest
