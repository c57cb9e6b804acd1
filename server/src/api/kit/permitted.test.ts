import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { z } from "zod";
import { type ApiKit, openApiKit } from "#test/api-kit";
import { read } from "./operation.ts";

const valid = read({
  id: "valid",
  route: "GET /api/valid",
  tag: "Test",
  summary: "Test",
  scope: "admin:read",
  answers: { 200: z.object({}) },
  refusals: [],
  onCrash: "Failed",
  run: async () => ({ status: 200, body: {} }),
});

describe("invalid operation lists", () => {
  let kit: ApiKit;
  before(async () => {
    kit = await openApiKit();
  });
  after(() => kit.close());

  it("fails on an operation with a scope that is not in the permission table (AZ-1)", () => {
    for (const scope of ["admin:everything", "", undefined]) {
      // Simulates code that the compiler did not check.
      const unknown = { ...valid, scope: scope as "admin:read" };
      assert.throws(() => kit.serve([unknown]), /valid needs a scope that the permission table lacks/);
    }
  });

  it("fails on two operations with one name or one route", () => {
    assert.throws(() => kit.serve([valid, { ...valid, route: "GET /api/other" }]), /two operations are called valid/);
    assert.throws(() => kit.serve([valid, { ...valid, id: "other" }]), /already declared/);
  });

  it("fails on a route under /api/ that is not an operation and so would not authenticate (AUTH-1)", () => {
    const server = kit.serve([valid]);
    assert.throws(() => server.get("/api/open", async () => "anything"), /\/api\/open is not an operation/);
  });
});
