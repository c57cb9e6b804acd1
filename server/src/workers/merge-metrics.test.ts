import assert from "node:assert/strict";
import { it } from "node:test";
import { mergeMetrics } from "./merge-metrics.ts";

it("lists each family once, and labels each sample with its worker", () => {
  const one = '# HELP a First\n# TYPE a gauge\na 1\n# HELP b Second\n# TYPE b counter\nb{x="{y} z"} 2\n';
  const two = "# HELP a First\n# TYPE a gauge\na 3\n# HELP c Third\n# TYPE c gauge\n";
  const merged = mergeMetrics([
    [1, one],
    [2, two],
  ]);
  assert.equal(
    merged,
    '# HELP a First\n# TYPE a gauge\na{worker="1"} 1\na{worker="2"} 3\n' +
      '# HELP b Second\n# TYPE b counter\nb{worker="1",x="{y} z"} 2\n# HELP c Third\n# TYPE c gauge\n',
  );
});
