import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createGroup, createServer } from "#test/factories";
import { startCustomer } from "#test/oauth/customer";
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

  it("creates a server, waits for its first sync, and prints the slug to stdout", async () => {
    const made = await shell.run([
      ...["servers", "create", "Echo", "--upstream", upstream.url, "--transport", "http"],
      ...["--description", "Echoes", "--status", "active", "--slug", "echo"],
    ]);
    const next = "Next: gatehouse groups add-servers <group> echo\n";
    assert.deepEqual([made.code, made.stdout], [0, "slug  echo\n"]);
    assert.equal(made.stderr, `Created server \`echo\`.\nSynced 2 tools.\n${next}`);
    const { connection, description, status } = await detail("echo");
    assert.deepEqual([connection, description, status], [{ url: upstream.url, transport: "http" }, "Echoes", "active"]);
  });

  for (const [reason, slug, args, error, next] of [
    [
      "it cannot be reached",
      "new-1",
      ["--upstream", "http://127.0.0.1:9/mcp"],
      /^Server "new-1" /,
      /^Fix the cause, then run: gatehouse servers sync new-1$/,
    ],
    [
      "it has no URL",
      "new-2",
      [],
      /^The server has no URL yet\.$/,
      /^Next: gatehouse servers update new-2 --upstream <url>$/,
    ],
    [
      "users connect their own accounts",
      "new-3",
      ["--auth", "proxy-api-key", "--upstream", "http://127.0.0.1:9/mcp"],
      /connect/,
      /^Next: connect an account at http:\S+\/connect\/new-3$/,
    ],
  ] as const) {
    it(`creates a server without tools and exits with 0 if ${reason}, and says what to do`, async () => {
      const made = await shell.run(["servers", "create", "New", "--slug", slug, ...args, "-o", "json"]);
      const { tools_count, sync_error } = JSON.parse(made.stdout);
      assert.deepEqual([made.code, tools_count], [0, 0]);
      assert.match(sync_error, error);
      const lines = made.stderr.trimEnd().split("\n");
      assert.deepEqual(lines.slice(0, 2), [`Created server \`${slug}\`.`, `Tools are not synced: ${sync_error}`]);
      assert.match(lines[2] ?? "", next);
    });
  }

  it("--no-sync returns as soon as the server exists", async () => {
    const made = await shell.run(["servers", "create", "Later", "--upstream", upstream.url, "--no-sync"]);
    assert.deepEqual([made.stdout, made.stderr], ["slug  later\n", "Created server `later`.\n"]);
    for (const slug of ["later", "new-1", "new-2", "new-3"]) await shell.run(["servers", "delete", slug, "--yes"]);
  });

  it("syncs, lists, disables, and enables tools", async () => {
    const synced = await shell.run(["servers", "sync", "echo", "-o", "json"]);
    assert.deepEqual(JSON.parse(synced.stdout), { slug: "echo", tools_count: 2, sync_error: null });
    const off = await shell.run(["servers", "disable-tools", "echo", "headers"]);
    assert.deepEqual([off.code, off.stderr], [0, ""]);
    assert.match(off.stdout, /^TOOL +ENABLED +GATEWAY NAME +DESCRIPTION\necho +yes +echo__echo .*\nheaders +no +/);
    assert.equal((await detail("echo")).tools_count, 1);
    assert.equal((await shell.run(["servers", "tools", "echo"])).stdout, off.stdout);
    const one = await shell.run(["servers", "tool", "echo", "headers", "-o", "json"]);
    assert.equal(JSON.parse(one.stdout).gateway_name, "echo__headers");
    await shell.run(["servers", "enable-tools", "echo", "headers"]);
    assert.equal((await detail("echo")).tools_count, 2);
  });

  it("limits tools and removes the limits", async () => {
    const limit = (...args: string[]) => shell.run(["servers", "limit-tools", "echo", ...args]);
    const set = await limit("echo", "headers", "--calls-per-minute", "60");
    assert.match(set.stdout, /^TOOL +CALLS PER MINUTE +CONCURRENT CALLS\necho +60 +-\nheaders +60 +-\n$/);
    await limit("headers", "--calls-per-minute", "none", "--concurrent-calls", "2");
    const [first, second] = (await detail("echo")).all_tools;
    assert.deepEqual(first.limits, { calls_per_minute: 60, concurrent_calls: null });
    assert.deepEqual(second.limits, { calls_per_minute: null, concurrent_calls: 2 });
    assert.deepEqual([(await limit("echo")).code, (await limit("echo", "--calls-per-minute", "x")).code], [64, 64]);
    const none = ["--calls-per-minute", "none", "--concurrent-calls", "none"];
    assert.equal((await limit("echo", "headers", ...none)).stderr, "No tool has limits.\n");
  });

  it("shows the tools that a server changed, and rejects and accepts them", async () => {
    await shell.run(["servers", "update", "echo", "--tool-policy", "hold"]);
    const before = upstream.tools;
    upstream.tools = [...before, { name: "late", inputSchema: { type: "object" } }];
    // The sync may join one that the update started before the tools changed.
    do await shell.run(["servers", "sync", "echo"]);
    while ((await detail("echo")).tools_held_count === 0);
    const shown = await shell.run(["servers", "changes", "echo"]);
    assert.match(shown.stdout, /^TOOL +KIND +CHANGE +HELD +GUARD +INVISIBLE +DIFFERS\nlate +tool +new +yes +- +- +/);
    assert.equal((await shell.run(["servers", "reject-tools", "echo", "echo", "--yes"])).code, 64, "not changed");
    const rejected = await shell.run(["servers", "reject-tools", "echo", "late", "--yes"]);
    assert.deepEqual([rejected.code, rejected.stdout, rejected.stderr], [0, shown.stdout, "Rejected: late\n"]);
    assert.equal((await detail("echo")).tools_held_count, 0);
    upstream.tools = [...before, { name: "late", description: "Again", inputSchema: { type: "object" } }];
    do await shell.run(["servers", "sync", "echo"]);
    while ((await detail("echo")).tools_held_count === 0);
    assert.equal((await shell.run(["servers", "accept-tools", "echo"])).code, 64, "without --yes");
    const accepted = await shell.run(["servers", "accept-tools", "echo", "--yes"]);
    assert.deepEqual([accepted.code, accepted.stdout, accepted.stderr], [0, shown.stdout, "Accepted: late\n"]);
    assert.equal((await detail("echo")).tools_held_count, 0);
    upstream.tools = before;
    do await shell.run(["servers", "sync", "echo"]);
    while ((await detail("echo")).tools_count !== 2);
  });

  it("limits the text of results, and removes the limit", async () => {
    assert.equal((await shell.run(["servers", "update", "echo", "--result-limit", "65536"])).code, 0);
    assert.equal((await detail("echo")).result_limit_bytes, 65_536);
    assert.equal((await shell.run(["servers", "update", "echo", "--result-limit", "64k"])).code, 64);
    assert.equal((await shell.run(["servers", "update", "echo", "--result-limit", "none"])).code, 0);
    assert.equal((await detail("echo")).result_limit_bytes, null);
  });

  it("turns the instructions of a server off and on", async () => {
    assert.equal((await shell.run(["servers", "update", "echo", "--instructions", "off"])).code, 0);
    assert.equal((await detail("echo")).pass_instructions, false);
    await shell.run(["servers", "update", "echo", "--instructions", "on"]);
    assert.equal((await detail("echo")).pass_instructions, true);
  });

  it("discovers OAuth settings, and approves or keeps changed ones", async () => {
    const [customer, other] = [await startCustomer(), await startCustomer()];
    try {
      await createServer(world.service, "Signed", customer.url, { auth_settings: { authType: "proxy-oauth" } });
      const found = await shell.run(["servers", "discover-oauth", "signed"]);
      assert.deepEqual([found.code, found.stderr], [0, "Users can connect.\n"]);
      assert.match(found.stdout, /^REQUEST +RESPONSE +RESULT\n/);
      const none = await shell.run(["servers", "approve-oauth", "signed", "--yes"]);
      assert.deepEqual([none.code, none.stderr], [1, "gatehouse: signed names no other OAuth settings.\n"]);
      const document = { resource: customer.url, authorization_servers: [other.origin] };
      customer.behaviour.resources["/.well-known/oauth-protected-resource"] = document;
      const changed = await shell.run(["servers", "discover-oauth", "signed"]);
      assert.match(changed.stderr, /^The server names another authorization server: http.*approve-oauth signed\n$/);
      const kept = await shell.run(["servers", "keep-oauth", "signed"]);
      assert.equal(kept.stderr, `Kept the current settings. ${other.origin} is not used.\n`);
      assert.equal((await shell.run(["servers", "approve-oauth", "signed"])).code, 64, "without --yes");
      const approved = await shell.run(["servers", "approve-oauth", "signed", "--yes"]);
      assert.deepEqual([approved.code, approved.stderr], [0, `Approved ${other.origin}.\n`]);
      assert.equal((await detail("signed")).oauth?.issuer, other.origin);
    } finally {
      await shell.run(["servers", "delete", "signed", "--yes"]);
      await customer.close();
      await other.close();
    }
  });

  it("shows the steps of a failed discovery", async () => {
    const closed = await startRawUpstream();
    await createServer(world.service, "Closed", closed.url, { auth_settings: { authType: "proxy-oauth" } });
    await closed.close();
    const { code, stdout, stderr } = await shell.run(["servers", "discover-oauth", "closed"]);
    assert.equal(code, 1);
    assert.match(stdout, /^REQUEST +RESPONSE +RESULT\nPOST http:.* \(initialize\) without a token +no response: /);
    assert.match(stderr, /^gatehouse: OAuth Discovery Failed: .*\n$/);
    await shell.run(["servers", "delete", "closed", "--yes"]);
  });

  it("sync exits with 1 and the reason if the upstream is unreachable", async () => {
    const dying = await startRawUpstream();
    await createServer(world.service, "Dying", dying.url);
    await dying.close();
    const { code, stderr } = await shell.run(["servers", "sync", "dying"]);
    assert.equal(code, 1);
    assert.match(stderr, /^gatehouse: Sync failed\. Server "dying" /);
  });

  it("updates only the given fields, and rejects an update without options", async () => {
    const changed = await shell.run(["servers", "update", "echo", "--name", "Echo 2", "--status", "draft"]);
    assert.deepEqual([changed.code, changed.stdout], [0, "slug  echo\n"]);
    const { name, status, description } = await detail("echo");
    assert.deepEqual([name, status, description], ["Echo 2", "draft", "Echoes"]);
    const nothing = await shell.run(["servers", "update", "echo"]);
    assert.equal(nothing.code, 64);
    assert.match(nothing.stderr, /^gatehouse: Nothing to change\. Pass .*\nRun "gatehouse servers update --help" /);
    assert.equal((await shell.run(["servers", "update", "echo", "--transport", "sse"])).code, 64);
  });

  describe("secrets", () => {
    it("are read from a file, or from a body in a file", async () => {
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

    it("are rejected in the arguments", async () => {
      const inline = '{"auth_settings": {"clientSecret": "s3cret"}}';
      const { code, stderr } = await shell.run(["servers", "update", "wiki", "--json", inline]);
      assert.equal(code, 64);
      assert.match(stderr, /Other users can read arguments/);
      const given = await shell.run(["servers", "update", "wiki", "--json", "-"], { input: inline });
      assert.equal(given.code, 0, given.stderr);
    });
  });

  it("filters the list, also by a group with special characters in its name", async () => {
    await createGroup(world.service, "R&D 本", { slugs: ["wiki"], settings: { show_draft_mcps: true } });
    const slugs = async (...args: string[]) => {
      const { stdout } = await shell.run(["servers", "list", "-o", "json", ...args]);
      return JSON.parse(stdout).map((server: { slug: string }) => server.slug);
    };
    assert.deepEqual(await slugs("--group", "r&d 本"), ["wiki"]);
    assert.deepEqual(await slugs("--search", "ECHO"), ["echo"]);
    assert.deepEqual(await slugs("--status", "active"), ["dying"]);
    const none = await shell.run(["servers", "list", "--search", "nowhere"]);
    assert.deepEqual([none.code, none.stdout, none.stderr], [0, "", "No servers match.\n"]);
    assert.equal((await shell.run(["servers", "list", "--search", "nowhere", "-o", "json"])).stdout, "[]\n");
  });

  it("shows one field per line", async () => {
    const { stdout } = await shell.run(["servers", "get", "echo"]);
    assert.match(stdout, /^slug {2,}echo\n/);
    assert.ok(stdout.includes(`connection.url                 ${upstream.url}\n`), stdout);
  });

  it("delete requires --yes without a terminal, and reports an unknown server", async () => {
    const unconfirmed = await shell.run(["servers", "delete", "echo"]);
    assert.equal(unconfirmed.code, 64);
    assert.match(unconfirmed.stderr, /^gatehouse: Not a terminal\. Pass --yes to confirm\.\n/);
    assert.equal((await detail("echo")).slug, "echo");
    const gone = await shell.run(["servers", "delete", "echo", "--yes"]);
    assert.deepEqual([gone.code, gone.stdout, gone.stderr], [0, "", "Deleted server `echo`.\n"]);
    const again = await shell.run(["servers", "delete", "echo", "--yes"]);
    assert.deepEqual([again.code, again.stderr], [4, "gatehouse: MCP server not found\n"]);
  });
});
