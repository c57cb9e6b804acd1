import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";
import { withService } from "../../test/with-service.ts";

withService("gatehouse import", (world) => {
  const { shell } = world;
  let upstream: RawUpstream;
  before(async () => {
    upstream = await startRawUpstream();
  });
  after(() => upstream.close());

  const run = async (content: unknown) => {
    const file = join(shell.folder, "mcp.json");
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    const ended = await shell.run(["import", file, "-o", "json"]);
    return { ...ended, rows: ended.stdout === "" ? [] : JSON.parse(ended.stdout) };
  };
  const detail = async (slug: string) => (await world.service.api("GET", `/api/mcp-servers/${slug}`)).body.data;

  it("creates the servers of Claude and Cursor, and reports each", async () => {
    const { code, rows } = await run({
      mcpServers: {
        Plain: { url: upstream.url },
        Keyed: { type: "sse", url: `${upstream.url}?keyed`, headers: { Authorization: "Bearer s3cret" } },
        Local: { command: "npx", args: ["-y", "server"] },
        Templated: { url: "https://$" + "{env:HOST}/mcp" },
        Bad: { type: "http", url: "ftp://example.com" },
      },
    });
    assert.equal(code, 1);
    const results = rows.map((row: Record<string, string>) => [row.name, row.result, row.slug]);
    assert.deepEqual(results, [
      ["Plain", "created", "plain"],
      ["Keyed", "created", "keyed"],
      ["Local", "skipped", null],
      ["Templated", "skipped", null],
      ["Bad", "failed", null],
    ]);
    assert.equal(rows[1].detail, "shared credential: Authorization");
    assert.deepEqual((await detail("keyed")).auth_settings.sharedHeaders, { Authorization: null });
    assert.match(rows[2].detail, /LOCAL_SERVERS_FILE/);
    assert.equal((await detail("plain")).connection.url, upstream.url);
    assert.equal((await detail("keyed")).connection.transport, "sse");
  });

  it("creates the servers of VS Code, and none twice", async () => {
    const servers = { Plain: { type: "http", url: upstream.url }, Code: { type: "http", url: `${upstream.url}?code` } };
    for (const [content, result] of [
      [{ servers }, "created"],
      [{ mcp: { servers } }, "exists"],
    ] as const) {
      const { code, rows } = await run(content);
      const results = rows.map((row: Record<string, string>) => [row.result, row.slug]);
      assert.deepEqual(
        [code, results],
        [
          0,
          [
            ["exists", "plain"],
            [result, "code"],
          ],
        ],
      );
    }
  });

  it("reads comments and trailing commas, and reports headers with variables", async () => {
    const { code, rows, stdout } = await run(`{
      // VS Code
      "servers": {
        "Commented": {
          "type": "http", "url": "${upstream.url}?commented", /* secrets */
          "headers": { "Authorization": "Bearer $\{input:token}", "X-Team": "platform // core", },
        },
      },
    }`);
    assert.equal(code, 0, stdout);
    assert.match(rows[0].detail, /^not imported, because of a variable: Authorization/);
    assert.deepEqual((await detail("commented")).auth_settings.sharedHeaders, { "X-Team": null });
  });

  it("rejects a file that is not a configuration, and exits with 64", async () => {
    for (const content of ["{ // comment", {}, [], { servers: [] }]) {
      const { code, stderr } = await run(content);
      assert.equal(code, 64, stderr);
    }
  });
});
