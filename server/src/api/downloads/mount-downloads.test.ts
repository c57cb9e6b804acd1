import assert from "node:assert/strict";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import fastify from "fastify";
import { mountDownloads } from "./mount-downloads.ts";

describe("downloads of the scan agent", () => {
  const serverFor = async (files: Readonly<Record<string, string>>) => {
    const folder = await mkdtemp(join(tmpdir(), "downloads-"));
    await mkdir(join(folder, "mdm"));
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const server = fastify();
    mountDownloads(server, { folder: pathToFileURL(`${folder}/`), baseUrl: 'https://a&b.example/"' });
    return server;
  };

  it("sends the agent as a file, and templates with the escaped URL and no token", async () => {
    const plist = "<string>{{GATEHOUSE_URL}}</string><string>{{GATEHOUSE_SCAN_TOKEN}}</string>";
    const server = await serverFor({ "gatehouse-scan.mjs": "scan()", "mdm/com.gatehouse.scan.plist": plist });
    const agent = await server.inject("/downloads/gatehouse-scan.mjs");
    assert.deepEqual([agent.statusCode, agent.body], [200, "scan()"]);
    assert.equal(agent.headers["content-disposition"], 'attachment; filename="gatehouse-scan.mjs"');
    const filled = await server.inject("/downloads/mdm/com.gatehouse.scan.plist");
    assert.equal(filled.body, "<string>https://a&amp;b.example/&quot;</string><string></string>");
  });

  it("says why a file is missing, and serves nothing else of the folder", async () => {
    const server = await serverFor({ secret: "x" });
    const missing = await server.inject("/downloads/gatehouse-scan.mjs");
    assert.deepEqual([missing.statusCode, /npm run scan:build/.test(missing.body)], [404, true]);
    for (const path of ["secret", "..%2Fsecret", "mdm/..%2Fsecret", "toString", "mdm/config.json%00"]) {
      const answer = await server.inject(`/downloads/${path}`);
      assert.deepEqual([answer.statusCode, answer.body], [404, '{"error":"Not found"}'], path);
    }
  });
});
