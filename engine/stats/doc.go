// Package stats has the statistics that reports and schedulers share, on
// gonum/stat, and the functions whose bits must not depend on the platform.
package stats
