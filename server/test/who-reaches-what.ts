import { after, before, it } from "node:test";
import fc from "fast-check";
import { CHANGES } from "./access-commands.ts";
import { AccessModel } from "./access-model.ts";
import { AccessSetup } from "./access-setup.ts";
import { forEachDatabase } from "./databases.ts";
import { seedFor } from "./seed.ts";

const MOST_CHANGES_PER_RUN = 8;

/** AZ-2, AZ-6, AZ-7, tried on so many sequences of changes. */
export function tryWhoReachesWhat(runs: number): void {
  forEachDatabase("who reaches what (AZ-2, AZ-6, AZ-7)", (open) => {
    let context: AccessSetup;

    before(async () => {
      context = await AccessSetup.start(await open());
    });
    after(() => context?.close());

    it("after any changes, each user lists and calls exactly what the groups give", async (test) => {
      // Each run goes on where the one before it ended: that costs no set-up, and names have a past. A failure is
      // therefore not shrunk; its seed repeats it from the beginning.
      const model = new AccessModel();
      const changes = fc.commands(CHANGES, { maxCommands: MOST_CHANGES_PER_RUN });
      const property = fc.asyncProperty(changes, async (given) => {
        await fc.asyncModelRun(() => ({ model, real: context }), given);
        await context.compare(model);
      });
      await fc.assert(property, { numRuns: runs, seed: seedFor(test), endOnFailure: true });
    });
  });
}
