import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { notFound } from "#lib/errors";
import { bearer } from "#test/api";
import { type ApiKit, openApiKit } from "#test/api-kit";
import { Deprecation } from "./deprecation.ts";
import { openApiDocument } from "./openapi.ts";
import { read } from "./operation.ts";
import { flagParameter, textParameter } from "./parameters.ts";

const common = {
  tag: "Test",
  summary: "Test",
  scope: "admin:read",
  answers: { 200: z.object({ message: z.string() }) },
  refusals: [404],
  onCrash: "Failed to be old",
} as const;
const later = { since: "2026-12-01", sunset: "2027-12-01" };
const sooner = { since: "2026-11-01", sunset: "2027-06-01" };
const told = ({ since, sunset }: typeof later) => [`@${Date.parse(since) / 1000}`, new Date(sunset).toUTCString()];

const old = read({
  ...common,
  id: "old",
  route: "GET /api/old",
  deprecated: new Deprecation(later),
  query: { end: textParameter("How it ends"), flag: flagParameter("Goes before the rest", sooner) },
  async run({ query }) {
    if (query.end === "not found") throw notFound.group();
    if (query.end === "crash") throw new Error("a fault of our own");
    return { status: 200, body: { message: "done" } };
  },
});
const current = read({
  ...common,
  id: "current",
  route: "GET /api/current",
  query: { flag: flagParameter("Old", later), other: flagParameter("Older", sooner) },
  headers: { "x-old": { ...textParameter("Old too"), deprecated: new Deprecation(sooner) } },
  run: async () => ({ status: 200, body: { message: "done" } }),
});

describe("what is deprecated (Spec 9.4)", () => {
  let kit: ApiKit;
  let server: FastifyInstance;
  before(async () => {
    kit = await openApiKit();
    server = kit.serve([old, current]);
  });
  after(() => kit.close());
  const ask = async (url: string, headers: Record<string, string> = bearer(kit.token)) => {
    const { statusCode, headers: answered } = await server.inject({ method: "GET", url, headers });
    return [statusCode, answered.deprecation, answered.sunset];
  };

  it("every answer of an operation says so, whatever it is", async () => {
    assert.deepEqual(await ask("/api/old"), [200, ...told(later)]);
    assert.deepEqual(await ask("/api/old?flag=x"), [400, ...told(sooner)]);
    assert.deepEqual(await ask("/api/old", {}), [401, ...told(later)]);
    assert.deepEqual(await ask("/api/old?end=not+found"), [404, ...told(later)]);
    assert.deepEqual(await ask("/api/old?end=crash"), [500, ...told(later)]);
  });

  it("a parameter says so where it is used, in any way; of several the one that goes first", async () => {
    assert.deepEqual(await ask("/api/current"), [200, undefined, undefined]);
    assert.deepEqual(await ask("/api/current?flag=false"), [200, ...told(later)]);
    assert.deepEqual(await ask("/api/current?flag=true&other=true"), [200, ...told(sooner)]);
    assert.deepEqual(await ask("/api/current?flag=old"), [400, ...told(later)]);
    assert.deepEqual(await ask("/api/current", { ...bearer(kit.token), "X-Old": "" }), [200, ...told(sooner)]);
    assert.deepEqual(await ask("/api/old?flag=true"), [200, ...told(sooner)]);
  });

  it("the document marks the operation, its parameters and the headers of its answers", () => {
    // biome-ignore lint/suspicious/noExplicitAny: a document is looked into at every depth
    const { paths }: any = openApiDocument([old, current]);
    const { get } = paths["/api/old"];
    assert.equal(get.deprecated, true);
    for (const answer of Object.values<{ headers: object }>(get.responses)) {
      assert.ok("Deprecation" in answer.headers && "Sunset" in answer.headers);
    }
    const other = paths["/api/current"].get;
    assert.equal("deprecated" in other, false);
    const marked = other.parameters.filter((parameter: { deprecated?: boolean }) => parameter.deprecated);
    assert.deepEqual(
      marked.map((parameter: { name: string }) => parameter.name),
      ["flag", "other", "x-old"],
    );
  });

  it("cannot be declared with less than six months' notice, nor with a day that is none", () => {
    for (const [since, sunset] of [
      ["2026-01-01", "2026-06-30"],
      ["2026-08-31", "2027-02-28"],
      ["2026-01-01", "2025-01-01"],
      ["2026-01-01", "2026-07"],
      ["2026-02-30", "2027-02-01"],
      ["soon", "2027-02-01"],
    ] as const) {
      assert.throws(() => new Deprecation({ since, sunset }), /^Error: (?:deprecated since|no day)/, sunset);
    }
    new Deprecation({ since: "2026-01-01", sunset: "2026-07-01" });
  });
});
