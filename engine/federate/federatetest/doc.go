// Package federatetest checks schedulers against the contract of federate.Scheduler.
package federatetest
