import assert from "node:assert/strict";
import { it } from "node:test";
import { z } from "zod";
import { bearer } from "#test/api";
import { openApiKit } from "#test/api-kit";
import { write } from "./operation.ts";

it("runs the tasks of a write after its commit, and none of a trial, which commits nothing", async () => {
  const kit = await openApiKit();
  const done: string[] = [];
  const operation = (id: string, rest: { isTrial?: true }) =>
    write({
      ...{ id, tag: "Test", summary: "Test", scope: "admin:read", refusals: [], onCrash: "Failed", ...rest },
      route: `POST /api/${id}`,
      answers: { 200: z.object({ data: z.object({}) }) },
      run: async ({ afterCommit }) => {
        afterCommit(() => void done.push(id));
        return { status: 200, body: { data: {} } };
      },
    });
  try {
    const served = kit.serve([operation("committed", {}), operation("tried", { isTrial: true })], "fails");
    for (const url of ["/api/committed", "/api/tried"]) {
      const { statusCode, body } = await served.inject({ method: "POST", url, headers: bearer(kit.token) });
      assert.equal(statusCode, 200, body);
    }
    assert.deepEqual(done, ["committed"]);
  } finally {
    await kit.close();
  }
});
