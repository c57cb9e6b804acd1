import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { forEachApi } from "#test/api";
import { createGroup, createServer, createSyncedServer } from "#test/factories";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

interface Listed {
  readonly slug: string;
}

forEachApi("GET /api/mcp-servers", (api) => {
  let upstream: RawUpstream;
  before(async () => {
    upstream = await startRawUpstream();
    await createSyncedServer(api.service, "Echo", upstream.url, { description: "100% echo_es \\ back" });
    await createServer(api.service, "Übergrößen", undefined, { slug: "sizes", description: "Straße" });
    await createServer(api.service, "Plain", undefined, { status: "active", description: "echo" });
    await createServer(api.service, "Quiet");
  });
  after(() => upstream.close());

  const list = (query: string, headers: Record<string, string> = {}) =>
    api.call("GET", `/api/mcp-servers${query}`, undefined, headers);
  const slugs = async (query: string, headers: Record<string, string> = {}) => {
    const answer = await list(query, headers);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data.map((entry: Listed) => entry.slug);
  };

  describe("200", () => {
    it("returns exactly the fields of the spec, oldest first; tools and totalCount only on request", async () => {
      const { body } = await list("");
      assert.deepEqual(body.data[0], {
        slug: "echo",
        name: "Echo",
        description: "100% echo_es \\ back",
        status: "active",
        logo_url: "http://127.0.0.1:8080/logos/letters/e.svg",
        auth_type: "none",
        tools_count: 2,
        is_local_mcp: false,
        connection: { url: upstream.url, transport: "http" },
      });
      assert.equal(body.data.length, 4);
      assert.deepEqual(body.pagination, { cursor: 0, limit: 100, hasMore: false, nextCursor: null });
      assert.deepEqual(Object.keys(body).sort(), ["data", "pagination"]);
    });

    it("sorts in both directions and across pages, with a stable order of ties", async () => {
      assert.deepEqual(await slugs("?sort=name"), ["echo", "plain", "quiet", "sizes"]);
      assert.deepEqual(await slugs("?sort=name&order=desc"), ["sizes", "quiet", "plain", "echo"]);
      assert.deepEqual(await slugs("?sort=name&limit=2&cursor=2"), ["quiet", "sizes"]);
      assert.deepEqual(await slugs("?sort=created&order=desc"), ["quiet", "plain", "sizes", "echo"]);
      for (const sort of ["tools", "synced"]) {
        assert.deepEqual(await slugs(`?sort=${sort}`), ["sizes", "plain", "quiet", "echo"]);
        assert.deepEqual(await slugs(`?sort=${sort}&order=desc&limit=1`), ["echo"]);
      }
      assert.deepEqual(await slugs("?sort=name&status=active"), ["echo", "plain"]);
      await api.invalid("sort: must be one of created, name, tools, synced", "GET", "/api/mcp-servers?sort=slug");
      await api.invalid("order: must be one of asc, desc", "GET", "/api/mcp-servers?order=up");
    });

    it("filters by status", async () => {
      assert.deepEqual(await slugs("?status=active"), ["echo", "plain"]);
      assert.equal((await slugs("?status=draft")).length, 2);
    });

    it("adds title, slug, and description of the enabled tools with include_tools", async () => {
      const [echo, , plain] = (await list("?include_tools=true")).body.data;
      assert.deepEqual(
        echo.tools.map((tool: Listed) => tool.slug),
        ["echo", "headers"],
      );
      assert.deepEqual(Object.keys(echo.tools[0]).sort(), ["description", "name", "slug"]);
      assert.deepEqual(plain.tools, []);
      assert.equal("tools" in (await list("?include_tools=false")).body.data[0], false);
    });

    it("neither lists nor counts disabled tools (D30)", async () => {
      const off = (enabled: boolean) =>
        api.db.updateTable("server_tools").set({ enabled }).where("upstream_name", "=", "headers").execute();
      await off(false);
      const [echo] = (await list("?include_tools=true")).body.data;
      assert.deepEqual([echo.tools_count, echo.tools.length], [1, 1]);
      await off(true);
    });

    it("returns only the selected fields, regardless of include_tools (D10)", async () => {
      const first = async (query: string) => (await list(query)).body.data[0];
      assert.deepEqual(await first("?fields=slug"), { slug: "echo" });
      assert.deepEqual(await first("?fields=slug,connection(url)"), {
        slug: "echo",
        connection: { url: upstream.url },
      });
      assert.deepEqual(await first("?fields=tools(slug)"), { tools: [{ slug: "echo" }, { slug: "headers" }] });
      assert.deepEqual(Object.keys((await first("?fields=tools")).tools[0]).sort(), ["description", "name", "slug"]);
      assert.deepEqual(await first("?fields=tools_count"), { tools_count: 2 });
      assert.deepEqual(await first("?fields=slug&include_tools=true"), { slug: "echo" });
      assert.deepEqual((await list("?fields=slug,connection(url)")).body.data[3], { slug: "quiet", connection: null });
      assert.equal(Object.keys(await first("?fields=")).length, 9);
    });
  });

  describe("search", () => {
    it("covers name and description and ignores case", async () => {
      assert.deepEqual(await slugs("?search=ECHO"), ["echo", "plain"]);
      assert.deepEqual(await slugs("?search=quiet"), ["quiet"]);
      assert.deepEqual(await slugs("?search=nowhere"), []);
    });

    it("folds umlauts and character width on both databases", async () => {
      for (const text of ["ÜBERGRÖSSEN".replace("SS", "ß"), "übergrößen", "U\u0308bergro\u0308ßen", "STRAßE"]) {
        assert.deepEqual(await slugs(`?search=${encodeURIComponent(text)}`), ["sizes"], text);
      }
      assert.deepEqual(await slugs(`?search=${encodeURIComponent("ＥＣＨＯ")}`), ["echo", "plain"]);
    });

    it("treats %, _ and \\ literally (API-4)", async () => {
      assert.deepEqual(await slugs("?search=%25"), ["echo"]);
      assert.deepEqual(await slugs("?search=0%25%20e"), ["echo"]);
      assert.deepEqual(await slugs("?search=_"), ["echo"]);
      assert.deepEqual(await slugs("?search=echo_es"), ["echo"]);
      assert.deepEqual(await slugs("?search=%5C"), ["echo"]);
      assert.deepEqual(await slugs("?search=e%25o"), []);
    });
  });

  describe("x-service-group", () => {
    const inGroup = (group: string, query = "") => slugs(query, { "x-service-group": group });
    before(async () => {
      await createGroup(api.service, "Readers", { slugs: ["echo", "quiet"] });
      await createGroup(api.service, "Drafters", { slugs: ["echo", "quiet"], settings: { show_draft_mcps: true } });
      await createGroup(api.service, "Empty");
      await createGroup(api.service, "Bücher 本", { slugs: ["plain"] });
    });

    it("returns only servers of the group, and drafts only if the group includes them", async () => {
      assert.deepEqual(await inGroup("Readers"), ["echo"]);
      assert.deepEqual(await inGroup("Readers", "?status=draft"), []);
      assert.deepEqual(await inGroup("Drafters"), ["echo", "quiet"]);
      assert.deepEqual(await inGroup("Drafters", "?status=draft"), ["quiet"]);
      assert.deepEqual(await inGroup("Empty"), []);
    });

    it("ignores case and combines with other filters", async () => {
      assert.deepEqual(await inGroup("rEADERS"), ["echo"]);
      assert.deepEqual(await inGroup("drafters", "?search=quiet"), ["quiet"]);
      const { body } = await list("?includeTotal=true&limit=1", { "x-service-group": "drafters" });
      assert.deepEqual([body.totalCount, body.pagination.hasMore], [2, true]);
    });

    it("returns an empty list for an unknown group", async () => {
      const { status, body } = await list("?includeTotal=true", { "x-service-group": "nowhere" });
      const pagination = { cursor: 0, limit: 100, hasMore: false, nextCursor: null };
      assert.deepEqual([status, body], [200, { data: [], pagination, totalCount: 0 }]);
    });

    it("accepts non-ASCII names as UTF-8 and as Latin-1", async () => {
      const asBytes = (text: string, encoding: "utf8" | "latin1") => Buffer.from(text, encoding).toString("latin1");
      assert.deepEqual(await inGroup(asBytes("BÜCHER 本", "utf8")), ["plain"]);
      await createGroup(api.service, "Süd", { slugs: ["plain"] });
      assert.deepEqual(await inGroup(asBytes("SÜD", "latin1")), ["plain"]);
      assert.deepEqual(await inGroup(asBytes("SÜD", "utf8")), ["plain"]);
    });

    it("includes drafts with the group parameter, and rejects it next to the header", async () => {
      assert.deepEqual(await slugs("?group=rEADERS"), ["echo", "quiet"]);
      assert.deepEqual(await slugs(`?group=${encodeURIComponent("bücher 本")}`), ["plain"]);
      assert.deepEqual(await slugs("?group=nowhere"), []);
      const both = await list("?group=Readers", { "x-service-group": "Readers" });
      assert.equal(both.body.message, "group: not together with x-service-group");
    });

    it("rejects invalid parameters also for an unknown group", async () => {
      const answer = await list("?fields=nope", { "x-service-group": "nowhere" });
      assert.equal(answer.body.message, 'fields: unknown field "nope"');
    });
  });

  describe("pages", () => {
    before(async () => {
      for (let i = 0; i < 23; i++) await createServer(api.service, `Page ${i}`);
    });

    it("return every server once in the same order while others are created", async () => {
      const known = await slugs("?limit=200");
      assert.equal(known.length, 27);
      const walked: string[] = [];
      for (let cursor: number | null = 0; cursor !== null; ) {
        const { body } = await list(`?limit=7&cursor=${cursor}&includeTotal=true`);
        assert.equal(body.pagination.cursor, cursor);
        walked.push(...body.data.map((entry: Listed) => entry.slug));
        assert.equal(body.pagination.hasMore, body.pagination.nextCursor !== null);
        cursor = body.pagination.nextCursor;
        if (walked.length < 15) await createServer(api.service, "Late");
      }
      assert.deepEqual(walked.slice(0, known.length), known);
      assert.equal(new Set(walked).size, walked.length);
    });

    it("have no next page after the last entry", async () => {
      const total = (await list("?includeTotal=true&limit=1")).body.totalCount;
      const { pagination } = (await list(`?limit=${total}`)).body;
      assert.deepEqual([pagination.hasMore, pagination.nextCursor], [false, null]);
      const almost = (await list(`?limit=${total - 1}`)).body.pagination;
      assert.deepEqual([almost.hasMore, almost.nextCursor], [true, total - 1]);
    });

    it("count matching servers in totalCount", async () => {
      assert.equal((await list("?includeTotal=true&search=page&limit=1")).body.totalCount, 23);
      assert.equal((await list("?includeTotal=true&status=active")).body.totalCount, 2);
    });
  });
});
