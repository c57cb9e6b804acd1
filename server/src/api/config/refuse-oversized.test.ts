import assert from "node:assert/strict";
import { it } from "node:test";
import { refuseOversized } from "./refuse-oversized.ts";

const MIB = 1024 ** 2;
const skill = (slug: string, size: number) => ({ slug, files: [{ path: "a", content: "x".repeat(size * MIB) }] });

it("exports only what apply accepts, and names the largest objects", () => {
  refuseOversized({ groups: [{ name: "Engineering" }], skills: [1, 2, 3].map((n) => skill(`large-${n}`, 16)) });
  assert.throws(
    () => refuseOversized({ groups: [{ name: "Engineering" }], skills: [skill("small", 1), skill("large", 62)] }),
    ({ message }: Error) => {
      assert.match(message, /^the configuration has 63\.0 MiB, and apply accepts 62\.0 MiB\. Remove files from/);
      assert.match(message, /: skills large \(62\.0 MiB\), skills small \(1\.0 MiB\)$/);
      return true;
    },
  );
});
