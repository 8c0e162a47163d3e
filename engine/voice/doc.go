// Package voice holds the test that keeps the project's language plain: it reads
// every comment, every sentence in the code and every page of the documentation, and
// counts the idioms that people stop at. To add one, append it to the list.
package voice
