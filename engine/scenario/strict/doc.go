// Package strict reads JSON that people write: it names the place of every
// problem, refuses what the syntax allows but nobody means, and costs no more
// memory than the text does. Objects are map[string]any before it is known what
// they stand for, arrays []any, numbers json.Number.
package strict
