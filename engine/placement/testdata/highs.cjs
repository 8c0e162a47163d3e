// Solves the program of a file in so many seconds and writes the status and the cost of
// the best solution, null where there is none. The arguments: module, file, seconds.
const [module_, file, seconds] = process.argv.slice(2);
const text = require("fs").readFileSync(file, "utf8");
require(module_)().then((highs) => {
  const solved = highs.solve(text, { time_limit: Number(seconds), mip_rel_gap: 0, mip_abs_gap: 0 });
  const whole = ([name, column]) => !name.startsWith("x") || Math.abs(column.Primal - Math.round(column.Primal)) < 1e-6;
  const columns = Object.entries(solved.Columns ?? {});
  const found = columns.length > 0 && columns.every(whole);
  console.log(JSON.stringify({ Status: solved.Status, Cost: found ? solved.ObjectiveValue : null }));
});
