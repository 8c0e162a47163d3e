// Package federatetest holds schedulers to what federate.Scheduler promises.
package federatetest
