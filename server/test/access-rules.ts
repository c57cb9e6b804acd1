import { after, before, it } from "node:test";
import fc from "fast-check";
import { CHANGES } from "./access-commands.ts";
import { AccessModel } from "./access-model.ts";
import { AccessSetup } from "./access-setup.ts";
import { forEachDatabase } from "./databases.ts";
import { seedFor } from "./seed.ts";

const MAX_CHANGES_PER_RUN = 8;

/** AZ-2, AZ-6, AZ-7, tested with this many sequences of changes. */
export function testAccessRules(runs: number): void {
  forEachDatabase("access rules (AZ-2, AZ-6, AZ-7)", (open) => {
    let context: AccessSetup;

    before(async () => {
      context = await AccessSetup.start(await open());
    });
    after(() => context?.close());

    it("let each user list and call exactly what the groups grant, after any changes", async (test) => {
      // Each run continues where the previous one ended: that needs no setup, and names are reused. Failures are
      // therefore not shrunk; the seed repeats them from the beginning.
      const model = new AccessModel();
      const changes = fc.commands(CHANGES, { maxCommands: MAX_CHANGES_PER_RUN });
      const property = fc.asyncProperty(changes, async (given) => {
        await fc.asyncModelRun(() => ({ model, real: context }), given);
        await context.compare(model);
      });
      await fc.assert(property, { numRuns: runs, seed: seedFor(test), endOnFailure: true });
    });
  });
}
