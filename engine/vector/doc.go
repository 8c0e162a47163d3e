// Package vector writes drawings for print, as PDF and TikZ. It reads the part of SVG that
// Graphviz and the frames around its drawings use: paths, polygons, lines, ellipses,
// rectangles and text, each with a plain fill and stroke, and transforms of groups.
// Gradients become their first colour.
package vector
