import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { SLUG_FORMAT } from "../kit/contract.ts";
import { forEachTarget } from "../kit/suite.ts";
import { startUpstream, type Upstream } from "../kit/upstream.ts";

/** Spec 2.1. A server without an upstream has no connection. */
const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  auth_type: (value) => ["none", "proxy-oauth", "proxy-api-key"].includes(String(value)),
  connection: (value) => value === null || (typeof value === "object" && value !== null),
  description: (value) => typeof value === "string",
  is_local_mcp: (value) => typeof value === "boolean",
  logo_url: (value) => typeof value === "string" && URL.canParse(value),
  name: (value) => typeof value === "string" && value !== "",
  slug: (value) => typeof value === "string" && SLUG_FORMAT.test(value),
  status: (value) => value === "active" || value === "draft",
  tools_count: (value) => Number.isInteger(value) && Number(value) >= 0,
};
const slugs = (data: readonly { slug: string }[]) => data.map((entry) => entry.slug);

forEachTarget("GET /api/mcp-servers", (api) => {
  const word = api.unique("list");
  const list = (query: string, headers = {}) =>
    api.body(200, "GET", `/api/mcp-servers?search=${word}&${query}`, undefined, headers);
  let upstream: Upstream;
  let synced: string;
  let draft: string;
  let described: string;

  before(async () => {
    upstream = await startUpstream();
    synced = await api.serverOf(upstream.url, { name: `Ärger ${word}`, status: "active" });
    draft = await api.server({ name: word, status: "draft", auth_settings: { authType: "proxy-api-key" } });
    described = await api.server({ name: api.unique("x"), description: `says ${word.toUpperCase()} inside` });
  });
  after(() => upstream.close());

  describe("entries", () => {
    it("have the contract's fields with their types [S2.1-fields S2.1-status S2.1-auth-type S2.1-connection S2.1-local S4.1-list-answer]", async () => {
      const { data, pagination, ...rest } = await list("");
      assert.deepEqual(Object.keys(rest), []);
      assert.deepEqual(Object.keys(pagination).sort(), ["cursor", "hasMore", "limit", "nextCursor"]);
      assert.deepEqual(slugs(data), [synced, draft, described]);
      for (const entry of data) {
        for (const [field, fits] of Object.entries(TYPES)) {
          assert.ok(field in entry && fits(entry[field]), `${field}: ${JSON.stringify(entry[field])}`);
        }
        for (const member of ["url", "transport"]) {
          if (entry.connection !== null) assert.equal(typeof entry.connection[member], "string", member);
        }
        assert.equal(entry.is_local_mcp, false);
      }
      const [first, second, third] = data;
      assert.deepEqual([first.status, first.auth_type], ["active", "none"]);
      assert.deepEqual(first.connection, { url: upstream.url, transport: "http" });
      assert.deepEqual([second.status, second.auth_type, second.connection], ["draft", "proxy-api-key", null]);
      assert.deepEqual([second.description, third.description], ["", `says ${word.toUpperCase()} inside`]);
    });

    it("count the enabled tools [S2.1-tools-count]", async () => {
      const { data } = await list("");
      assert.deepEqual(
        data.map((entry: { tools_count: number }) => entry.tools_count),
        [2, 0, 0],
      );
    });

    it("have a working logo URL [S2.1-logo-url]", async () => {
      const { data } = await list("");
      for (const { logo_url: logo } of data) {
        const { pathname } = new URL(logo);
        const answer = await api.send(pathname);
        assert.equal(answer.status, 200);
        assert.match(String(answer.headers["content-type"]), /^image\//);
      }
    });

    it("have tools only on request, each with name, slug, and description [S2.1-tools S4.1-list-include-tools]", async () => {
      for (const query of ["", "include_tools=false", "fields=slug,tools_count"]) {
        for (const entry of (await list(query)).data) assert.equal("tools" in entry, false, query);
      }
      const whole = [
        { name: "Echo", slug: "echo", description: "Says it again." },
        { name: "add_numbers", slug: "add_numbers", description: "Adds a and b." },
      ];
      for (const query of ["include_tools=true", "fields=tools", "fields=tools(name,slug,description)"]) {
        const [first, second] = (await list(query)).data;
        const bySlug = first.tools.toSorted((a: { slug: string }, b: { slug: string }) => (a.slug < b.slug ? 1 : -1));
        assert.deepEqual(bySlug, whole, query);
        assert.deepEqual(second.tools, [], query);
      }
    });
  });

  describe("filters", () => {
    it("status [S4.1-list-status]", async () => {
      assert.deepEqual(slugs((await list("status=active")).data), [synced]);
      assert.deepEqual(slugs((await list("status=draft")).data), [draft, described]);
    });

    it("search matches name and description, without regard to case [S4.1-list-search]", async () => {
      const found = async (text: string) =>
        slugs((await api.body(200, "GET", `/api/mcp-servers?search=${encodeURIComponent(text)}`)).data);
      assert.deepEqual(await found(word.toUpperCase()), [synced, draft, described]);
      assert.deepEqual(await found(`äRGER ${word}`), [synced]);
      assert.deepEqual(await found(`${word}%`), []);
    });

    it("x-service-group filters by group, without regard to case [S4.1-list-group S3-group-scope]", async () => {
      const name = await api.group({ name: api.unique("Öffentlich"), slugs: [synced, draft] });
      // Header values are bytes; a name beyond ASCII goes as UTF-8.
      const header = (text: string) => ({ "x-service-group": Buffer.from(text).toString("latin1") });
      assert.deepEqual(slugs((await list("", header(name))).data), [synced]);
      assert.deepEqual(slugs((await list("", header(name.toUpperCase()))).data), [synced]);
    });

    it("lists a draft in a group only if the group shows drafts [S3-draft-hidden S2.5-show-drafts]", async () => {
      const name = await api.group({ slugs: [synced, draft], settings: { show_draft_mcps: true } });
      assert.deepEqual(slugs((await list("", { "x-service-group": name })).data), [synced, draft]);
      await api.body(200, "PATCH", `/api/groups?name=${name}`, { settings: { show_draft_mcps: false } });
      assert.deepEqual(slugs((await list("", { "x-service-group": name })).data), [synced]);
    });

    it("an unknown group returns an empty list [S4.1-list-unknown-group]", async () => {
      const answer = await list("includeTotal=true", { "x-service-group": api.unique("unknown") });
      assert.deepEqual([answer.data, answer.totalCount, answer.pagination.hasMore], [[], 0, false]);
    });
  });

  describe("fields", () => {
    it("selects fields by name, and nested ones in parentheses; all by default [S4.1-list-fields]", async () => {
      const [first] = (await list("fields=slug,name")).data;
      assert.deepEqual(first, { slug: synced, name: `Ärger ${word}` });
      const [nested] = (await list("fields=slug,tools(slug),connection(url)")).data;
      assert.deepEqual(Object.keys(nested).sort(), ["connection", "slug", "tools"]);
      assert.deepEqual(nested.connection, { url: upstream.url });
      for (const tool of nested.tools) assert.deepEqual(Object.keys(tool), ["slug"]);
      const [whole] = (await list("")).data;
      for (const field of Object.keys(TYPES)) assert.ok(field in whole, field);
    });
  });

  describe("pages", () => {
    it("cursor is a zero-based offset, and nextCursor is that of the next page [S4.1-list-cursor S2.8-cursor]", async () => {
      const first = await list("limit=2");
      assert.deepEqual(slugs(first.data), [synced, draft]);
      assert.deepEqual(first.pagination, { cursor: 0, limit: 2, hasMore: true, nextCursor: 2 });
      const last = await list("limit=2&cursor=2");
      assert.deepEqual(slugs(last.data), [described]);
      assert.deepEqual(last.pagination, { cursor: 2, limit: 2, hasMore: false, nextCursor: null });
      assert.deepEqual(slugs((await list("limit=1&cursor=1")).data), [draft]);
      assert.deepEqual((await list("cursor=1000000")).data, []);
    });

    it("includeTotal adds totalCount on every page [S4.1-list-total S2.8-total]", async () => {
      assert.equal((await list("limit=1&includeTotal=true")).totalCount, 3);
      assert.equal("totalCount" in (await list("limit=1&includeTotal=false")), false);
      assert.equal("totalCount" in (await list("limit=1")), false);
    });
  });
});
