import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createGroup, createServer } from "#test/factories";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";
import { withService } from "../../test/with-service.ts";

withService("gatehouse servers", (world) => {
  const { shell } = world;
  let upstream: RawUpstream;
  before(async () => {
    upstream = await startRawUpstream();
  });
  after(() => upstream.close());
  const detail = async (slug: string) => (await world.service.api("GET", `/api/mcp-servers/${slug}`)).body.data;

  it("create tells the slug on stdout and the news on stderr", async () => {
    const made = await shell.run([
      ...["servers", "create", "Echo", "--upstream", upstream.url, "--transport", "http"],
      ...["--description", "Echoes", "--status", "active", "--slug", "echo"],
    ]);
    assert.deepEqual([made.code, made.stdout, made.stderr], [0, "slug  echo\n", "The server echo is there.\n"]);
    const { connection, description, status } = await detail("echo");
    assert.deepEqual([connection, description, status], [{ url: upstream.url, transport: "http" }, "Echoes", "active"]);
  });

  it("sync, tools, disable-tools and enable-tools go round", async () => {
    const synced = await shell.run(["servers", "sync", "echo", "-o", "json"]);
    assert.deepEqual(JSON.parse(synced.stdout), { slug: "echo", tools_count: 2, sync_error: null });
    const off = await shell.run(["servers", "disable-tools", "echo", "headers"]);
    assert.deepEqual([off.code, off.stderr], [0, ""]);
    assert.match(off.stdout, /^TOOL +ENABLED +AT THE GATEWAY +DESCRIPTION\necho +yes +echo__echo .*\nheaders +no +/);
    assert.equal((await detail("echo")).tools_count, 1);
    assert.equal((await shell.run(["servers", "tools", "echo"])).stdout, off.stdout);
    await shell.run(["servers", "enable-tools", "echo", "headers"]);
    assert.equal((await detail("echo")).tools_count, 2);
  });

  it("changes shows what a server changed, and accept-tools accepts it", async () => {
    await shell.run(["servers", "update", "echo", "--tool-policy", "hold"]);
    const before = upstream.tools;
    upstream.tools = [...before, { name: "late", inputSchema: { type: "object" } }];
    // A reading that began with the update may be the one that is shared: then once more.
    do await shell.run(["servers", "sync", "echo"]);
    while ((await detail("echo")).tools_held_count === 0);
    const shown = await shell.run(["servers", "changes", "echo"]);
    assert.match(shown.stdout, /^TOOL +CHANGE +HELD +INVISIBLE +DIFFERS\nlate +new +yes +- +/);
    assert.equal((await shell.run(["servers", "accept-tools", "echo"])).code, 64, "nobody can be asked");
    const accepted = await shell.run(["servers", "accept-tools", "echo", "--yes"]);
    assert.deepEqual([accepted.code, accepted.stdout, accepted.stderr], [0, shown.stdout, "Accepted: late\n"]);
    assert.equal((await detail("echo")).tools_held_count, 0);
    upstream.tools = before;
    do await shell.run(["servers", "sync", "echo"]);
    while ((await detail("echo")).tools_count !== 2);
  });

  it("sync ends with 1 and the reason when the upstream does not answer", async () => {
    const dying = await startRawUpstream();
    await createServer(world.service, "Dying", dying.url);
    await dying.close();
    const { code, stderr } = await shell.run(["servers", "sync", "dying"]);
    assert.equal(code, 1);
    assert.match(stderr, /^gatehouse: Server "dying" /);
  });

  it("update changes what is given, keeps the rest, and refuses to change nothing", async () => {
    const changed = await shell.run(["servers", "update", "echo", "--name", "Echo 2", "--status", "draft"]);
    assert.deepEqual([changed.code, changed.stdout], [0, "slug  echo\n"]);
    const { name, status, description } = await detail("echo");
    assert.deepEqual([name, status, description], ["Echo 2", "draft", "Echoes"]);
    const nothing = await shell.run(["servers", "update", "echo"]);
    assert.equal(nothing.code, 64);
    assert.match(nothing.stderr, /^gatehouse: there is nothing to change\nRun "gatehouse servers update --help" /);
    assert.equal((await shell.run(["servers", "update", "echo", "--transport", "sse"])).code, 64);
  });

  describe("secrets", () => {
    it("of a client come from a file or a body in a file", async () => {
      writeFileSync(join(shell.folder, "secret"), "s3cret\n");
      writeFileSync(join(shell.folder, "body"), '{"auth_settings": {"issuer": "https://idp.example.com"}}');
      const made = await shell.run([
        ...[
          "servers",
          "create",
          "Wiki",
          "--auth",
          "proxy-oauth",
          "--client-id",
          "us",
          "--client-secret-file",
          "secret",
        ],
        ...["--json", "@body"],
      ]);
      assert.equal(made.code, 0, made.stderr);
      const { auth_settings } = await detail("wiki");
      assert.deepEqual(auth_settings, {
        authType: "proxy-oauth",
        clientId: "us",
        issuer: "https://idp.example.com",
        hasClientSecret: true,
      });
    });

    it("in the arguments are refused, and nothing is sent", async () => {
      const inline = '{"auth_settings": {"clientSecret": "s3cret"}}';
      const { code, stderr } = await shell.run(["servers", "update", "wiki", "--json", inline]);
      assert.equal(code, 64);
      assert.match(stderr, /others can read arguments/);
      const given = await shell.run(["servers", "update", "wiki", "--json", "-"], { input: inline });
      assert.equal(given.code, 0, given.stderr);
    });
  });

  it("list filters, also by a group of any name", async () => {
    await createGroup(world.service, "R&D 本", { slugs: ["wiki"], settings: { show_draft_mcps: true } });
    const slugs = async (...args: string[]) => {
      const { stdout } = await shell.run(["servers", "list", "-o", "json", ...args]);
      return JSON.parse(stdout).map((server: { slug: string }) => server.slug);
    };
    assert.deepEqual(await slugs("--group", "r&d 本"), ["wiki"]);
    assert.deepEqual(await slugs("--search", "ECHO"), ["echo"]);
    assert.deepEqual(await slugs("--status", "active"), ["dying"]);
    const none = await shell.run(["servers", "list", "--search", "nowhere"]);
    assert.deepEqual([none.code, none.stdout, none.stderr], [0, "", "No servers.\n"]);
    assert.equal((await shell.run(["servers", "list", "--search", "nowhere", "-o", "json"])).stdout, "[]\n");
  });

  it("get shows each field on a line", async () => {
    const { stdout } = await shell.run(["servers", "get", "echo"]);
    assert.match(stdout, /^slug {2,}echo\n/);
    assert.ok(stdout.includes(`connection.url                 ${upstream.url}\n`), stdout);
  });

  it("delete needs --yes where nobody can be asked, and tells when there is nothing to delete", async () => {
    const unasked = await shell.run(["servers", "delete", "echo"]);
    assert.equal(unasked.code, 64);
    assert.match(unasked.stderr, /^gatehouse: there is nobody to ask here; give --yes if you mean it\n/);
    assert.equal((await detail("echo")).slug, "echo");
    const gone = await shell.run(["servers", "delete", "echo", "--yes"]);
    assert.deepEqual([gone.code, gone.stdout, gone.stderr], [0, "", "MCP server deleted successfully\n"]);
    const again = await shell.run(["servers", "delete", "echo", "--yes"]);
    assert.deepEqual([again.code, again.stderr], [4, "gatehouse: MCP server not found\n"]);
  });
});
