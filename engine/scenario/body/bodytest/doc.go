// Package bodytest makes inputs as users have them, for tests.
package bodytest
