import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { forEachApi } from "#test/api";
import { registryRow, storeRegistry, TEST_CONNECTORS } from "#test/registry";

const BASE = "http://127.0.0.1:8080";

forEachApi(
  "GET /api/connectors",
  (api) => {
    const list = async (query = "") => {
      const answer = await api.call("GET", `/api/connectors${query}`);
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    };
    const ids = async (query = ""): Promise<string[]> => (await list(query)).data.map(({ id }: { id: string }) => id);

    before(() =>
      storeRegistry(api.db, [
        registryRow({ name: "com.example.b/zebra", title: "alpha", description: "Counts_stripes" }),
        registryRow({ name: "com.example.a/zebra", title: "ALPHA" }),
        registryRow({
          name: "io.github.somebody/sse-only",
          title: "Ünder",
          remotes: [{ type: "sse", url: "https://sse.example.com/" }],
          websiteUrl: "https://www.example.com",
          repository: { url: "https://github.com/somebody/sse-only" },
        }),
        // The URL of a built-in connector in a different spelling.
        registryRow({
          name: "com.example/covered",
          remotes: [{ type: "streamable-http", url: "https://FILES.example.com:443/mcp" }],
        }),
      ]),
    );

    describe("200", () => {
      it("lists built-in connectors first, sorts by name and ID, and hides covered registry entries", async () => {
        const builtIn = ["files", "issues", "later", "wiki"];
        const registry = ["com.example.a/zebra", "com.example.b/zebra", "io.github.somebody/sse-only"];
        assert.deepEqual(await ids(), [...builtIn, ...registry]);
        assert.deepEqual(await ids("?source=connector"), builtIn);
        assert.deepEqual(await ids("?source=registry"), registry);
      });

      it("returns only the fields of the entry's catalog (Spec 2.3)", async () => {
        const { data } = await list();
        assert.deepEqual(data[1], {
          id: "issues",
          source: "connector",
          name: "issues of Ünal",
          description: "Follows issues.",
          logo_url: `${BASE}/logos/connectors/issues.svg`,
          website: "https://issues.example.com",
          category: "Productivity",
          status: "active",
          auth_types: ["proxy-oauth", "proxy-api-key"],
          tools_count: 2,
        });
        assert.deepEqual(data[2], {
          id: "later",
          source: "connector",
          name: "Later",
          description: "Not there yet.",
          logo_url: `${BASE}/logos/connectors/later.svg`,
          website: null,
          category: null,
          status: "soon",
          auth_types: [],
          tools_count: 0,
        });
        assert.deepEqual(data[5], {
          id: "com.example.b/zebra",
          source: "registry",
          name: "alpha",
          description: "Counts_stripes",
          logo_url: `${BASE}/logos/letters/a.svg`,
          website: null,
          category: null,
          status: "active",
          auth_types: [],
          tools_count: 0,
          transport: "http",
          url: "https://b.example.com/zebra",
          official: true,
        });
        assert.deepEqual(data[6], {
          id: "io.github.somebody/sse-only",
          source: "registry",
          name: "Ünder",
          description: "The server sse-only",
          logo_url: `${BASE}/logos/letters/u.svg`,
          website: "https://www.example.com",
          category: null,
          status: "active",
          auth_types: [],
          tools_count: 0,
          transport: "sse",
          url: "https://sse.example.com/",
          repo: "https://github.com/somebody/sse-only",
          official: false,
        });
        for (const { logo_url } of data) {
          assert.equal((await api.service.http(logo_url.slice(BASE.length))).status, 200, logo_url);
        }
      });

      it("returns tools of built-in connectors with include_tools, without a deprecation header", async () => {
        const answer = await api.call("GET", "/api/connectors?include_tools=true");
        assert.equal(answer.headers.deprecation, undefined);
        const { data } = answer.body;
        assert.deepEqual(
          data.map(({ tools }: { tools?: object[] }) => tools?.length),
          [0, 2, 0, 0, undefined, undefined, undefined],
        );
        assert.deepEqual(data[1].tools[0], { name: "find", description: "Finds issues." });
      });

      it("filters by status; registry entries are always active", async () => {
        assert.deepEqual(await ids("?status=soon"), ["later"]);
        assert.deepEqual(await ids("?status=beta"), ["wiki"]);
        assert.deepEqual(await ids("?status=beta&source=registry"), []);
        assert.equal((await ids("?status=active")).length, 5);
        assert.equal((await list("?status=beta&source=registry")).totalCount, 0);
      });

      it("searches ID, name, and description case-insensitively for the literal text", async () => {
        for (const [text, found] of [
          ["ÜN", ["issues", "io.github.somebody/sse-only"]],
          ["ALPHA", ["com.example.a/zebra", "com.example.b/zebra"]],
          ["zebra", ["com.example.a/zebra", "com.example.b/zebra"]],
          ["Example.B/", ["com.example.b/zebra"]],
          ["your own", ["wiki"]],
          ["%", ["files"]],
          ["_", ["com.example.b/zebra"]],
          ["\\", []],
          ["covered", []],
        ] as const) {
          assert.deepEqual(await ids(`?search=${encodeURIComponent(text)}`), found, text);
        }
      });

      it("filters built-in connectors by category and lists all categories with their counts", async () => {
        assert.deepEqual(await ids("?category=Productivity"), ["issues"]);
        assert.equal((await list("?category=Productivity")).totalCount, 1);
        assert.deepEqual(await ids("?category=Nowhere"), []);
        const { body } = await api.call("GET", "/api/connectors/categories");
        assert.deepEqual(body.data, [{ name: "Productivity", count: 1 }]);
      });

      it("returns usage with include_usage: by connector ID, and by URL for registry entries (D31)", async () => {
        const proxy = JSON.stringify({ type: "http", url: "https://B.example.com:443/zebra" });
        for (const body of [
          { name: "Issues", connector_id: "issues" },
          { name: "Again", connector_id: "issues" },
          { name: "Stripes", mcp_proxy: proxy },
        ]) {
          assert.equal((await api.call("POST", "/api/mcp-servers", body)).status, 201);
        }
        const { data } = await list("?include_usage=true");
        const used = data.filter(({ usage }: { usage: { count: number } }) => usage.count > 0);
        assert.deepEqual(
          used.map(({ id, usage }: { id: string; usage: object }) => [id, usage]),
          [
            ["issues", { count: 2, slug: "again" }],
            ["com.example.b/zebra", { count: 1, slug: "stripes" }],
          ],
        );
        assert.deepEqual(data[0].usage, { count: 0, slug: null });
      });

      it("returns the full list with every page size and always includes totalCount", async () => {
        const whole = await ids();
        for (let limit = 1; limit <= whole.length + 1; limit++) {
          const walked: string[] = [];
          for (let cursor: number | null = 0; cursor !== null; ) {
            const { data, pagination, totalCount } = await list(`?cursor=${cursor}&limit=${limit}`);
            assert.equal(totalCount, whole.length);
            assert.deepEqual([pagination.cursor, pagination.limit], [cursor, limit]);
            assert.equal(pagination.hasMore, pagination.nextCursor !== null);
            walked.push(...data.map(({ id }: { id: string }) => id));
            cursor = pagination.nextCursor;
          }
          assert.deepEqual(walked, whole, `limit ${limit}`);
        }
      });
    });

    it("rejects an unknown source or status and an invalid flag with 400", async () => {
      await api.invalid("source: must be one of connector, registry", "GET", "/api/connectors?source=x");
      await api.invalid("status: must be one of active, beta, soon", "GET", "/api/connectors?status=draft");
      await api.invalid("include_tools: must be true or false", "GET", "/api/connectors?include_tools=1");
    });
  },
  { connectorsFolder: TEST_CONNECTORS },
);

forEachApi("the catalog that comes with the release", (api) => {
  it("is listed completely", async () => {
    const { body } = await api.call("GET", "/api/connectors?limit=200");
    assert.ok(body.totalCount >= 80, String(body.totalCount));
    assert.ok(body.data.every(({ source }: { source: string }) => source === "connector"));
  });
});
