// Package voice holds a test that keeps the project's language plain: it reads every comment, every
// sentence in the code and every page of the documentation, and counts the idioms that make a
// reader stop. To add an idiom, append it to the list.
package voice
