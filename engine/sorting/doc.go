// Package sorting sorts where the size of the programs that a page loads counts more than
// time: package slices is compiled anew for each type, which takes 10 to 20 kB each time.
package sorting
