import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { forEachApi } from "#test/api";
import { createServer } from "#test/factories";
import { registryRow, storeRegistry, TEST_CONNECTORS } from "#test/registry";

const ENTRY = "com.example.mcp/notes";
const NOTES = "https://mcp.example.com/notes";

forEachApi(
  "GET /api/connectors/{connector_id}/usage",
  (api) => {
    const usage = async (id: string, query = "") => {
      const answer = await api.call("GET", `/api/connectors/${encodeURIComponent(id)}/usage${query}`);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.body.data.connector_id, id);
      assert.equal(answer.body.data.count, answer.body.data.mcp_servers.length);
      assert.equal(answer.body.data.in_use, answer.body.data.count > 0);
      return answer.body.data;
    };
    const slugs = async (id: string, query = ""): Promise<string[]> =>
      (await usage(id, query)).mcp_servers.map(({ slug }: { slug: string }) => slug);

    before(async () => {
      await storeRegistry(api.db, [registryRow({ name: ENTRY })]);
      await createServer(api.service, "From issues", undefined, { connector_id: "issues" });
      await createServer(api.service, "From wiki", undefined, { connector_id: "wiki" });
      await createServer(api.service, "From entry", undefined, { connector_id: ENTRY });
      await createServer(api.service, "Manual", "HTTPS://MCP.example.com:443/notes/");
      await createServer(api.service, "Elsewhere", `${NOTES}?x=1`);
    });

    describe("200", () => {
      it("matches a built-in connector by ID and reports whether each server needs setup", async () => {
        const row = await api.db
          .selectFrom("mcp_servers")
          .select("id")
          .where("slug", "=", "from-wiki")
          .executeTakeFirst();
        assert.deepEqual(await usage("wiki"), {
          connector_id: "wiki",
          source: "connector",
          in_use: true,
          count: 1,
          mcp_servers: [{ id: row?.id, slug: "from-wiki", name: "From wiki", status: "draft", needs_setup: true }],
        });
        // D32: it has a URL, but neither a client ID nor a registration endpoint.
        const [issues] = (await usage("issues")).mcp_servers;
        assert.deepEqual([issues.status, issues.needs_setup], ["active", true]);
      });

      it("matches a registry entry by URL in any spelling (Spec 4.2)", async () => {
        assert.deepEqual(await slugs(ENTRY), ["from-entry", "manual"]);
        assert.deepEqual(await slugs(ENTRY, "?source=registry"), ["from-entry", "manual"]);
        assert.deepEqual(await slugs(ENTRY, "?source=connector"), ["from-entry"]);
        assert.deepEqual(await slugs("issues", "?source=registry"), []);
      });

      it("follows a server's URL when it changes and keeps its connector ID", async () => {
        const slug = await createServer(api.service, "Moving", "https://elsewhere.example.com/", {
          connector_id: "later",
        });
        const move = (url: string | null) =>
          api.call("PATCH", `/api/mcp-servers?slug=${slug}`, {
            mcp_proxy: url === null ? null : JSON.stringify({ url }),
            connector_id: "issues",
          });
        assert.equal((await move(`${NOTES}/`)).status, 200);
        assert.deepEqual(await slugs(ENTRY), ["from-entry", "manual", slug]);
        for (const url of ["https://elsewhere.example.com/", null]) {
          assert.equal((await move(url)).status, 200);
          assert.deepEqual(await slugs(ENTRY), ["from-entry", "manual"]);
        }
        assert.deepEqual(await slugs("later"), [slug]);
        await api.call("DELETE", `/api/mcp-servers?slug=${slug}`);
        assert.deepEqual(await slugs("later"), []);
      });

      it("reports the requested source, else the catalog of the ID, else connector (D31)", async () => {
        for (const [id, query, source] of [
          ["issues", "", "connector"],
          ["issues", "?source=registry", "registry"],
          [ENTRY, "", "registry"],
          [ENTRY, "?source=connector", "connector"],
          ["nothing", "", "connector"],
          ["nothing/at-all", "?source=registry", "registry"],
        ] as const) {
          assert.equal((await usage(id, query)).source, source, `${id}${query}`);
        }
      });

      it("returns 0 for an unknown ID with any characters", async () => {
        for (const id of ["nothing", "Issues", "a/b/c", "%", "_", "' or 1=1 --", "ü", "x".repeat(600)]) {
          assert.deepEqual([(await usage(id)).count, (await usage(id)).in_use], [0, false], id);
        }
      });
    });

    describe("400", () => {
      it("rejects a missing or blank ID", async () => {
        for (const path of ["/api/connectors//usage", "/api/connectors/%20/usage", "/api/connectors/%09%0a/usage"]) {
          await api.expect(400, { error: "Connector id is required" }, "GET", path);
        }
      });

      it("rejects malformed text and an unknown source", async () => {
        const text = "connector_id: must be well-formed text without NUL characters";
        await api.invalid(text, "GET", "/api/connectors/a%00b/usage");
        await api.invalid("source: must be one of connector, registry", "GET", "/api/connectors/issues/usage?source=x");
      });
    });
  },
  { connectorsFolder: TEST_CONNECTORS },
);
