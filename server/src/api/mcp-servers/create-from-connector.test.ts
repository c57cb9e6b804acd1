import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { forEachApi } from "#test/api";
import { registryRow, storeRegistry, TEST_CONNECTORS } from "#test/registry";

const ENTRY = "com.example/notes";

forEachApi(
  "POST /api/mcp-servers with connector_id (D31)",
  (api) => {
    before(() =>
      storeRegistry(api.db, [
        registryRow({
          name: ENTRY,
          description: "Takes notes.",
          remotes: [
            {
              type: "sse",
              url: "https://example.com/sse",
              headers: [{ name: "Authorization", value: "Token {key}", isSecret: true }],
            },
          ],
        }),
      ]),
    );
    const made = async (body: object) => {
      const answer = await api.call("POST", "/api/mcp-servers", { name: "Made", ...body });
      assert.equal(answer.status, 201, answer.text);
      return (await api.call("GET", `/api/mcp-servers/${answer.body.data.slug}`)).body.data;
    };
    const settings = { hasClientSecret: false };

    describe("201", () => {
      it("copies URL, authentication, and description from a built-in connector", async () => {
        const issues = await made({ connector_id: "issues" });
        assert.deepEqual(
          [issues.connector_id, issues.name, issues.description, issues.connection, issues.status],
          [
            "issues",
            "Made",
            "Follows issues.",
            { url: "https://mcp.issues.example.com/mcp", transport: "http" },
            "active",
          ],
        );
        assert.deepEqual(issues.auth_settings, { authType: "proxy-oauth", ...settings });
        const files = await made({ connector_id: "files" });
        assert.deepEqual(files.connection, { url: "https://files.example.com/mcp/", transport: "both" });
        assert.deepEqual(files.auth_settings, {
          authType: "proxy-api-key",
          headerName: "X-Files-Key",
          headerPrefix: "",
          ...settings,
        });
      });

      it("uses the logo of a built-in connector, and a letter for a registry entry (D29)", async () => {
        const logo = async (connector_id: string) => new URL((await made({ connector_id })).logo_url).pathname;
        assert.equal(await logo("issues"), "/logos/connectors/issues.svg");
        assert.equal(await logo(ENTRY), "/logos/letters/m.svg");
        assert.equal((await api.service.http("/logos/connectors/issues.svg")).status, 200);
      });

      it("copies the same from a registry entry", async () => {
        const notes = await made({ connector_id: ENTRY });
        assert.deepEqual(
          [notes.connector_id, notes.description, notes.connection, notes.status],
          [ENTRY, "Takes notes.", { url: "https://example.com/sse", transport: "sse" }, "active"],
        );
        assert.deepEqual(notes.auth_settings, {
          authType: "proxy-api-key",
          headerName: "Authorization",
          headerPrefix: "Token ",
          ...settings,
        });
      });

      it("gives precedence to the body, key by key", async () => {
        const url = "https://own.example.com/mcp";
        const issues = await made({
          connector_id: "issues",
          description: "",
          status: "draft",
          mcp_proxy: JSON.stringify({ type: "sse", url }),
          auth_settings: { clientId: "ours" },
        });
        assert.deepEqual(
          [issues.description, issues.status, issues.connection],
          ["", "draft", { url, transport: "sse" }],
        );
        assert.deepEqual(issues.auth_settings, { authType: "proxy-oauth", clientId: "ours", ...settings });
        const files = await made({ connector_id: "files", auth_settings: { headerPrefix: "Key ", headerName: null } });
        assert.deepEqual(files.auth_settings, { authType: "proxy-api-key", headerPrefix: "Key ", ...settings });
        for (const authType of ["none", null]) {
          const open = await made({ connector_id: "files", auth_settings: { authType } });
          assert.deepEqual(open.auth_settings, { authType: "none", ...settings });
        }
      });

      it("creates a draft that needs setup if the connector has no URL (D1, D32)", async () => {
        for (const connector_id of ["wiki", "later"]) {
          const { connection, status, needs_setup, auth_type } = await made({ connector_id });
          assert.deepEqual([connection, status, needs_setup, auth_type], [null, "draft", true, "none"]);
        }
      });

      it("treats null like an omitted connector_id", async () => {
        assert.equal((await made({ connector_id: null })).connector_id, null);
      });
    });

    it("records the connector in the audit log", async () => {
      const [row] = await api.auditOf(() => made({ connector_id: "issues" }));
      assert.equal((row?.after as { connector_id?: string } | null)?.connector_id, "issues");
    });

    it("keeps the connector when the server is updated", async () => {
      const { slug } = await made({ connector_id: "issues" });
      await api.expect(200, { data: { slug } }, "PATCH", `/api/mcp-servers?slug=${slug}`, { connector_id: "files" });
      const { data } = (await api.call("GET", `/api/mcp-servers/${slug}`)).body;
      assert.equal(data.connector_id, "issues");
    });

    it("responds with 400 and creates nothing for an unknown connector", async () => {
      const before = await api.everything();
      for (const connector_id of ["nothing", "", " ", "Issues", "com.example/Notes"]) {
        const body = { name: "x", connector_id };
        await api.invalid("connector_id: connector not found", "POST", "/api/mcp-servers", body);
      }
      const wrongType = { name: "x", connector_id: 7 };
      await api.invalid("connector_id: must be a string", "POST", "/api/mcp-servers", wrongType);
      assert.deepEqual(await api.everything(), before);
    });
  },
  { connectorsFolder: TEST_CONNECTORS },
);
