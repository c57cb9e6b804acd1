import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { z } from "zod";
import type { WriteTrail } from "#storage/transaction";
import { type ApiKit, openApiKit } from "#test/api-kit";
import { write } from "./operation.ts";

type Run = (trail: WriteTrail) => void;

function writing(run: Run) {
  return write({
    id: "testWrite",
    route: "POST /api/test-write",
    tag: "Test",
    summary: "Test",
    scope: "admin:write",
    answers: { 200: z.object({}) },
    refusals: [],
    onCrash: "Failed to write",
    async run({ trail }) {
      run(trail);
      return { status: 200, body: {} };
    },
  });
}

describe("a write", () => {
  let kit: ApiKit;
  before(async () => {
    kit = await openApiKit();
  });
  after(() => kit.close());

  const send = async (run: Run) => {
    const headers = { authorization: `Bearer ${kit.token}` };
    return (await kit.serve([writing(run)]).inject({ method: "POST", url: "/api/test-write", headers })).statusCode;
  };
  const target = { kind: "group", id: "grp_1", name: "one" };

  it("fails when it changes records without an audit entry", async () => {
    assert.equal(await send((trail) => trail.changed("group", "grp_1")), 500);
  });

  it("succeeds with an audit entry, or without changes", async () => {
    const audited: Run = (trail) => {
      trail.changed("group", "grp_1");
      trail.audit({ operation: "testWrite", target });
    };
    assert.equal(await send(audited), 200);
    assert.equal(await send(() => {}), 200);
  });
});
