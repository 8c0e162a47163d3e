// Package meghatest holds schedulers to what megha.Scheduler promises.
package meghatest
