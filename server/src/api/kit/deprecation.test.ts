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
  onCrash: "Failed to run",
} as const;
const later = { since: "2026-12-01", sunset: "2027-12-01" };
const sooner = { since: "2026-11-01", sunset: "2027-06-01" };
const headersOf = ({ since, sunset }: typeof later) => [`@${Date.parse(since) / 1000}`, new Date(sunset).toUTCString()];

const old = read({
  ...common,
  id: "old",
  route: "GET /api/old",
  deprecated: new Deprecation(later),
  query: { end: textParameter("The result"), flag: flagParameter("Removed before the others", sooner) },
  async run({ query }) {
    if (query.end === "not found") throw notFound.group();
    if (query.end === "crash") throw new Error("an internal error");
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

describe("deprecation (Spec 9.4)", () => {
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

  it("every response of a deprecated operation has the headers, whatever its status", async () => {
    assert.deepEqual(await ask("/api/old"), [200, ...headersOf(later)]);
    assert.deepEqual(await ask("/api/old?flag=x"), [400, ...headersOf(sooner)]);
    assert.deepEqual(await ask("/api/old", {}), [401, ...headersOf(later)]);
    assert.deepEqual(await ask("/api/old?end=not+found"), [404, ...headersOf(later)]);
    assert.deepEqual(await ask("/api/old?end=crash"), [500, ...headersOf(later)]);
  });

  it("a request with deprecated parameters has the headers of the earliest sunset", async () => {
    assert.deepEqual(await ask("/api/current"), [200, undefined, undefined]);
    assert.deepEqual(await ask("/api/current?flag=false"), [200, ...headersOf(later)]);
    assert.deepEqual(await ask("/api/current?flag=true&other=true"), [200, ...headersOf(sooner)]);
    assert.deepEqual(await ask("/api/current?flag=old"), [400, ...headersOf(later)]);
    assert.deepEqual(await ask("/api/current", { ...bearer(kit.token), "X-Old": "" }), [200, ...headersOf(sooner)]);
    assert.deepEqual(await ask("/api/old?flag=true"), [200, ...headersOf(sooner)]);
  });

  it("marks the operation, its parameters, and the headers of its responses in the API document", () => {
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

  it("rejects a notice of less than six months and an invalid date", () => {
    for (const [since, sunset] of [
      ["2026-01-01", "2026-06-30"],
      ["2026-08-31", "2027-02-28"],
      ["2026-01-01", "2025-01-01"],
      ["2026-01-01", "2026-07"],
      ["2026-02-30", "2027-02-01"],
      ["soon", "2027-02-01"],
    ] as const) {
      assert.throws(() => new Deprecation({ since, sunset }), /^Error: (?:deprecated since|not a date)/, sunset);
    }
    new Deprecation({ since: "2026-01-01", sunset: "2026-07-01" });
  });
});
