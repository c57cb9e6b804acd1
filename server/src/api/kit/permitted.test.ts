import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { z } from "zod";
import { type ApiKit, openApiKit } from "#test/api-kit";
import { read } from "./operation.ts";

const sound = read({
  id: "sound",
  route: "GET /api/sound",
  tag: "Test",
  summary: "Test",
  scope: "admin:read",
  answers: { 200: z.object({}) },
  refusals: [],
  onCrash: "Failed",
  run: async () => ({ status: 200, body: {} }),
});

describe("what does not start", () => {
  let kit: ApiKit;
  before(async () => {
    kit = await openApiKit();
  });
  after(() => kit.close());

  it("an operation that the permission table does not know (AZ-1)", () => {
    for (const scope of ["admin:everything", "", undefined]) {
      // As code that the compiler did not see would have it.
      const unknown = { ...sound, scope: scope as "admin:read" };
      assert.throws(() => kit.serve([unknown]), /sound needs a scope that the permission table lacks/);
    }
  });

  it("two operations of one name or one route", () => {
    assert.throws(() => kit.serve([sound, { ...sound, route: "GET /api/other" }]), /two operations are called sound/);
    assert.throws(() => kit.serve([sound, { ...sound, id: "other" }]), /already declared/);
  });

  it("an address under /api/ that is no operation, and so would ask nobody who they are (AUTH-1)", () => {
    const server = kit.serve([sound]);
    assert.throws(() => server.get("/api/open", async () => "anything"), /\/api\/open is no operation/);
  });
});
