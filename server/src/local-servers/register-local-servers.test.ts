import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { forEachDatabase, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createServer } from "#test/factories";
import { type Service, startService } from "#test/start-service";

const PROGRAM = new URL("../../test/upstreams/stdio-echo.ts", import.meta.url).pathname;
const TOKEN = "b1946ac92492d2347c6235b4d2611184";
const FILES = { command: process.execPath, args: [PROGRAM] };
/** For tests of the record alone: nothing responds, and nothing has to start. */
const SILENT = { command: "true" };

async function withServers(database: TestDatabase, mcpServers: object, use: (service: Service) => Promise<void>) {
  const file = join(database.dataDir, "servers.json");
  writeFileSync(file, JSON.stringify({ mcpServers }));
  const service = await startService(database, { config: { localServersFile: file, bootstrapToken: TOKEN } });
  // Only the first start creates this token.
  const authorization = `Bearer ${TOKEN}`;
  try {
    await use({ ...service, api: (method, path, body) => service.api(method, path, body, { authorization }) });
  } finally {
    await service.close();
  }
}

const get = async (service: Service, slug: string) => (await service.api("GET", `/api/mcp-servers/${slug}`)).body.data;

async function toolNames(service: Service, credential: string): Promise<string[]> {
  const answer = await service.mcp(credential, { jsonrpc: "2.0", id: 1, method: "tools/list" });
  return answer.body.result.tools.map((tool: { name: string }) => tool.name);
}

forEachDatabase("local servers (D3)", (open) => {
  it("from the file are listed, synced, and called like others, and keep their records across restarts", async () => {
    const database = await open();
    let credential = "";
    await withServers(database, { "My Files": FILES }, async (service) => {
      const bot = await createMachineUser(service, "bot");
      credential = bot.credential;
      await createGroup(service, "all", { slugs: ["my-files"], emails: [bot.email] });
      const synced = await service.api("POST", "/api/mcp-servers/my-files/sync");
      assert.equal(synced.body.data.sync_error, null);
      const detail = await get(service, "my-files");
      assert.deepEqual(
        [detail.name, detail.status, detail.is_local_mcp, detail.needs_setup, detail.connection],
        ["My Files", "active", true, false, { url: "stdio:my-files", transport: "stdio" }],
      );
      assert.ok((await toolNames(service, credential)).includes("my-files__echo"));
      const params = { name: "my-files__echo", arguments: { n: 1 } };
      const called = await service.mcp(credential, { jsonrpc: "2.0", id: 1, method: "tools/call", params });
      assert.deepEqual(called.body.result.structuredContent, { n: 1 });
      const rows = (await service.api("GET", "/api/logs")).body.data;
      assert.deepEqual([rows[0].server_slug, rows[0].outcome], ["my-files", "ok"]);
      await service.api("PATCH", "/api/mcp-servers?slug=my-files", { description: "Ours", status: "draft" });
    });
    await withServers(database, {}, async (service) => {
      const detail = await get(service, "my-files");
      assert.deepEqual(
        [detail.description, detail.status, detail.connection, detail.needs_setup, detail.sync_error],
        ["Ours", "draft", null, true, "The server is not in LOCAL_SERVERS_FILE any more"],
      );
      assert.deepEqual(await toolNames(service, credential), []);
    });
    await withServers(database, { "My Files": FILES }, async (service) => {
      const detail = await get(service, "my-files");
      assert.deepEqual([detail.description, detail.status, detail.sync_error], ["Ours", "draft", null]);
      await service.api("PATCH", "/api/mcp-servers?slug=my-files", { status: "active" });
      assert.ok((await toolNames(service, credential)).includes("my-files__echo"));
    });
  });

  it("are synced when the service starts", async () => {
    await withServers(await open(), { files: FILES }, async (service) => {
      let read = false;
      while (!read) read = (await get(service, "files")).tools_count > 0;
    });
  });

  it("join the groups that auto-assign new servers", async () => {
    const database = await open();
    await withServers(database, {}, async (service) => {
      await createGroup(service, "auto", { settings: { auto_assign_mcps: true } });
    });
    await withServers(database, { files: SILENT }, async (service) => {
      const { body } = await service.api("GET", "/api/groups?name=auto");
      assert.equal(body.data[0].integrations_count, 1);
    });
  });

  it("cannot be moved, renamed, or deleted through the API while the file contains them", async () => {
    const database = await open();
    await withServers(database, { files: SILENT }, async (service) => {
      for (const [field, value] of [
        ["name", "Other"],
        ["slug", "other"],
        ["mcp_proxy", '{"url":"http://127.0.0.1:1/"}'],
        ["mcp_proxy", null],
        ["upstream", { url: "http://127.0.0.1:1/" }],
        ["upstream", null],
        ["auth_settings", {}],
      ] as const) {
        const answer = await service.api("PATCH", "/api/mcp-servers?slug=files", { [field]: value });
        const message = `${field}: cannot be changed: the server comes from the operator's LOCAL_SERVERS_FILE`;
        assert.deepEqual([answer.status, answer.body], [400, { code: "INVALID_FORMAT", message }]);
      }
      const deleted = await service.api("DELETE", "/api/mcp-servers?slug=files");
      assert.equal(deleted.status, 400);
      assert.match(deleted.body.message, /^slug: the server comes from the operator's LOCAL_SERVERS_FILE/);
      assert.equal((await get(service, "files")).connection.url, "stdio:files");
    });
    await withServers(database, {}, async (service) => {
      assert.equal((await service.api("DELETE", "/api/mcp-servers?slug=files")).status, 200);
    });
  });

  it("do not replace a server that an admin created: the start fails with a clear error, and nothing changes", async () => {
    const database = await open();
    await withServers(database, {}, async (service) => {
      await createServer(service, "Files", undefined, { description: "an admin's" });
    });
    await assert.rejects(
      withServers(database, { other: SILENT, files: SILENT }, async () => {}),
      { name: "BadSetting", message: /"files" needs the slug files, which another MCP server already has$/ },
    );
    await withServers(database, {}, async (service) => {
      const { body } = await service.api("GET", "/api/mcp-servers");
      assert.deepEqual(
        body.data.map((server: { slug: string }) => server.slug),
        ["files"],
      );
      assert.equal(body.data[0].is_local_mcp, false);
    });
  });

  it("become one record when two processes start concurrently", async () => {
    const database = await open();
    if (database.dialect === "sqlite") return;
    await Promise.all([1, 2].map(() => withServers(database, { files: SILENT }, async () => {})));
    await withServers(database, { files: SILENT }, async (service) => {
      const { body } = await service.api("GET", "/api/mcp-servers");
      assert.equal(body.data.length, 1);
    });
  });
});
