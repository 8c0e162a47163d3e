// Package scripttest draws texts of policies that take much memory and time.
package scripttest
