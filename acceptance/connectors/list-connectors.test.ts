import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { forEachTarget } from "../kit/suite.ts";

interface Entry {
  readonly id: string;
  readonly source: string;
  readonly name: string;
  readonly description: string;
  readonly status: string;
  readonly tools_count: number;
  readonly tools?: readonly { readonly name?: unknown; readonly description?: unknown }[];
}

const FIELDS = ["id", "source", "name", "description", "logo_url", "website", "category", "status", "auth_types"];
const REGISTRY_FIELDS = ["transport", "url", "official"];

forEachTarget("GET /api/connectors", (api) => {
  const list = (query: string) => api.body(200, "GET", `/api/connectors?${query}`);
  const page = (entries: readonly Entry[]) => entries.map(({ source, id }) => `${source} ${id}`);
  /** All pages of the catalog. */
  const walk = async (query: string, limit: number): Promise<Entry[]> => {
    const entries: Entry[] = [];
    for (let cursor: number | null = 0; cursor !== null; ) {
      const { data, pagination }: { data: Entry[]; pagination: { nextCursor: number | null } } = await list(
        `${query}&limit=${limit}&cursor=${cursor}`,
      );
      entries.push(...data);
      cursor = pagination.nextCursor;
    }
    return entries;
  };
  let all: Entry[];

  before(async () => {
    all = await walk("", 200);
  });

  describe("entries", () => {
    it("have the contract's fields in both catalogs [S2.3-fields S2.3-nullable S2.3-auth-types S4.2-list]", async () => {
      const answer = await list("");
      assert.deepEqual(Object.keys(answer).sort(), ["data", "pagination", "totalCount"]);
      assert.deepEqual(Object.keys(answer.pagination).sort(), ["cursor", "hasMore", "limit", "nextCursor"]);
      assert.equal(answer.totalCount, all.length);
      for (const entry of all) {
        for (const field of [...FIELDS, "tools_count"]) assert.ok(field in entry, `${entry.id}: ${field}`);
      }
    });

    it("have URL, transport, and official only in the registry [S2.3-registry-fields S2.3-source]", () => {
      for (const entry of all) {
        const has = [...REGISTRY_FIELDS, "repo"].filter((field) => field in entry);
        if (entry.source === "connector") assert.deepEqual(has, [], entry.id);
        else for (const field of REGISTRY_FIELDS) assert.ok(has.includes(field), `${entry.id}: ${field}`);
      }
    });

    it("have tools on request, only for built-in connectors [S2.3-tools S4.2-list-include-tools]", async () => {
      let described = 0;
      for (const entry of all) assert.equal("tools" in entry, false, entry.id);
      for (const entry of await walk("include_tools=true", 200)) {
        if (entry.source === "registry") assert.equal("tools" in entry, false, entry.id);
        else {
          assert.equal(entry.tools?.length, entry.tools_count, entry.id);
          for (const tool of entry.tools ?? []) {
            assert.ok(typeof tool.name === "string" && tool.name !== "", entry.id);
            assert.equal(typeof tool.description, "string", `${entry.id} ${tool.name}`);
            described++;
          }
        }
      }
      assert.ok(described > 0, "at least one built-in connector lists tools");
      const { headers } = await api.call("GET", "/api/connectors?limit=1&include_tools=true");
      assert.equal("deprecation" in headers, false);
    });

    it("have a working logo URL [S2.3-fields]", async () => {
      const { data } = await list("limit=3");
      for (const { logo_url: logo } of data) {
        assert.equal((await api.send(new URL(logo).pathname)).status, 200, logo);
      }
    });
  });

  describe("filters", () => {
    it("source selects one catalog; both are returned by default [S2.3-source S4.2-list-source]", async () => {
      const ofSource = async (source: string) => page(await walk(`source=${source}`, 200));
      const [builtIn, registry] = [await ofSource("connector"), await ofSource("registry")];
      assert.ok(builtIn.length > 0);
      assert.ok(builtIn.every((entry) => entry.startsWith("connector ")));
      assert.ok(registry.every((entry) => entry.startsWith("registry ")));
      assert.deepEqual([...builtIn, ...registry].sort(), page(all).sort());
      await api.invalid("source: must be one of connector, registry", "GET", "/api/connectors?source=both");
    });

    it("status filters; entries of the registry are active [S2.3-status S4.2-list-status]", async () => {
      const found = [];
      for (const status of ["active", "beta", "soon"]) {
        const entries = await walk(`status=${status}`, 200);
        assert.ok(entries.every((entry) => entry.status === status));
        assert.ok(entries.every((entry) => entry.source === "connector" || status === "active"));
        found.push(...page(entries));
      }
      assert.deepEqual(found.sort(), page(all).sort());
      await api.invalid("status: must be one of active, beta, soon", "GET", "/api/connectors?status=draft");
    });

    it("search matches ID, name, and description literally, without regard to case [S4.2-list-search]", async () => {
      const some = [all[0], all.at(-1)].filter((entry) => entry !== undefined);
      for (const entry of some) {
        for (const text of [entry.id.toUpperCase(), entry.name.toLowerCase(), entry.description.toUpperCase()]) {
          const found = page(await walk(`search=${encodeURIComponent(text)}`, 200));
          assert.ok(found.includes(`${entry.source} ${entry.id}`), text);
          assert.ok(found.length < all.length, text);
        }
      }
      const nowhere = await list(`search=${api.unique("%")}`);
      assert.deepEqual([nowhere.data, nowhere.totalCount], [[], 0]);
    });
  });

  it("pages contain every entry once [S4.2-list-pages S2.8-cursor S2.8-total API-5]", async () => {
    const first = await list("limit=2");
    assert.deepEqual(first.pagination, { cursor: 0, limit: 2, hasMore: true, nextCursor: 2 });
    assert.equal(first.totalCount, all.length);
    const walked = page(await walk("", 17));
    assert.deepEqual(walked, page(all));
    assert.equal(new Set(walked).size, walked.length);
  });
});
