// Package scripttest generates policy texts that use much memory and time.
package scripttest
