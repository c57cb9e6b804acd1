import assert from "node:assert/strict";
import { it } from "node:test";
import { gzipSync } from "node:zlib";
import { systemClock } from "#lib/clock";
import { signedInAs } from "#test/browser";
import { forEachDatabase } from "#test/databases";
import { createPerson, type MachineUser } from "#test/factories";
import { makeGatewayToken } from "#test/gateway-tokens";
import { PluginFixture, sorted } from "#test/plugin-fixture";
import { type Service, startService } from "#test/start-service";

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

forEachDatabase("plugins at the gateway", (open) => {
  const fixture = new PluginFixture(open);
  const { write, publish, create, urlOf, get, releaseFiles } = fixture;

  it("are cloned with the bytes of the release, and pulled by fast-forward", async () => {
    const { git } = fixture.now;
    await create("Tools");
    await git.run("clone", "--quiet", urlOf("tools"), "full");
    await git.run("clone", "--quiet", "--depth", "1", urlOf("tools"), "shallow");
    assert.deepEqual(sorted(await git.filesOf("full")), sorted(await releaseFiles("tools")));
    const first = await git.run("-C", "full", "rev-parse", "HEAD");
    await write("PATCH", "/api/skills?slug=notes", { content: "# Changed\n" });
    assert.equal(await git.run("-C", "full", "pull", "--ff-only"), "Already up to date.");
    await publish("tools", { bump: "minor", notes: "Changed" });
    for (const clone of ["full", "shallow"]) {
      await git.run("-C", clone, "pull", "--quiet", "--ff-only");
      assert.deepEqual(sorted(await git.filesOf(clone)), sorted(await releaseFiles("tools")));
      await git.run("-C", clone, "fsck", "--strict", "--full");
    }
    assert.equal(await git.run("-C", "full", "tag"), "v1.0.0\nv1.1.0");
    assert.equal(await git.run("-C", "full", "log", "-1", "--format=%s%n%n%b"), "tools 1.1.0\n\nChanged");
    await git.run("init", "--quiet", "pinned");
    await git.run("-C", "pinned", "fetch", "--quiet", "--depth", "1", urlOf("tools"), first);
    await git.run("-C", "pinned", "checkout", "--quiet", "FETCH_HEAD");
    assert.deepEqual(sorted(await git.filesOf("pinned")), sorted(await releaseFiles("tools", "?version=1.0.0")));
    await git.run("clone", "--quiet", "--filter=tree:0", "--no-checkout", urlOf("tools"), "partial");
    await git.run("-C", "partial", "checkout", "--quiet", "v1.0.0", "--", "skills/notes/SKILL.md");
    assert.match((await git.filesOf("partial")).get("skills/notes/SKILL.md")?.toString() ?? "", /# Notes/);
  });

  it("give the same commits in every process", async () => {
    const { database, service, git, member } = fixture.now;
    await create("Tools");
    const replica = await startService(database);
    try {
      const shaAt = async (at: Service) =>
        (await at.http("/plugins/marketplace.json", { headers: { authorization: `Bearer ${member.credential}` } })).body
          .plugins[0].source.sha;
      assert.equal(await shaAt(replica), await shaAt(service));
      assert.equal((await git.run("ls-remote", urlOf("tools"), "HEAD")).split("\t")[0], await shaAt(service));
    } finally {
      await replica.close();
    }
  });

  it("are fetched by people with a token that fetches and cannot call tools (0144)", async () => {
    const { database, service, git } = fixture.now;
    await create("Tools");
    const email = `eve-${database.databases.dialect}@example.com`;
    const [eve, other] = [
      await signedInAs(service, "member", email),
      await signedInAs(service, "member", `other-${email}`),
    ];
    await write("POST", "/api/groups/g/users", { emails: [email] });
    const bad = await eve.api("POST", "/api/me/library-tokens", { name: "Laptop", expires_in_days: 366 });
    assert.equal(bad.body.message, "expires_in_days: must be a whole number from 1 to 365");
    const made = await eve.api("POST", "/api/me/library-tokens", { name: "Laptop" });
    const { id, token, ...listed } = made.body.data;
    assert.deepEqual([made.status, listed.name, token.startsWith(listed.prefix)], [201, "Laptop", true]);
    assert.deepEqual((await eve.api("GET", "/api/me/library-tokens")).body, { data: [{ id, ...listed }] });
    assert.deepEqual((await other.api("GET", "/api/me/library-tokens")).body, { data: [] });
    const url = urlOf("tools").replace(/\/\/[^@]*@/, `//eve:${token}@`);
    await git.run("clone", "--quiet", url, "of-eve");
    assert.deepEqual(sorted(await git.filesOf("of-eve")), sorted(await releaseFiles("tools")));
    const [row] = (await service.api("GET", "/api/logs?method=plugin.fetch&limit=1")).body.data;
    assert.deepEqual([row.user_email, row.via, row.client_id], [email, "library", "Laptop"]);
    const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    assert.equal((await service.mcp(token, message)).status, 401);
    assert.equal((await other.api("DELETE", `/api/me/library-tokens?id=${id}`)).status, 404);
    assert.equal((await eve.api("DELETE", `/api/me/library-tokens?id=${id}`)).status, 200);
    await assert.rejects(git.run("ls-remote", url), /Authentication failed/);
    for (let at = 0; at < 20; at++) await eve.api("POST", "/api/me/library-tokens", { name: `${at}` });
    const more = await eve.api("POST", "/api/me/library-tokens", { name: "one more" });
    assert.deepEqual([more.status, more.body.message], [409, "You have 20 tokens. Delete one first"]);
  });

  it("need a credential of the gateway, as a bearer or by HTTP Basic, and only here", async () => {
    const { database, service, git, member } = fixture.now;
    await create("Tools");
    const refs = "tools.git/info/refs?service=git-upload-pack";
    const person = await createPerson(service, "Ann", `ann-${database.databases.dialect}@example.com`);
    const { token } = await makeGatewayToken(database, systemClock, {
      kind: "oauth",
      userId: person,
      path: "/mcp",
      expiresAt: systemClock.now() + 3_600_000,
    });
    await write("POST", "/api/groups/g/users", { emails: [`ann-${database.databases.dialect}@example.com`] });
    for (const header of [
      `Bearer ${member.credential}`,
      basic(member.credential),
      `Bearer ${token}`,
      basic(`oauth2:${token}`),
    ])
      assert.equal((await get(refs, header)).status, 200, header);
    const [key = ""] = member.credential.split(":");
    for (const header of [
      "",
      basic(`${key}:wrong`),
      basic(key),
      basic(`${token}:`),
      `Bearer ${service.token}`,
      "Basic !",
    ]) {
      const answer = await get(refs, header);
      assert.deepEqual([answer.status, answer.body], [401, { error: "invalid_token" }], header);
      assert.match(answer.headers["www-authenticate"] ?? "", /^Basic realm=/);
    }
    await assert.rejects(
      git.run("clone", urlOf("tools", { credential: `${key}:wrong` }), "clone"),
      /Authentication failed/,
    );
    const mcp = await service.http("/mcp", { method: "POST", headers: { authorization: basic(member.credential) } });
    assert.equal(mcp.status, 401);
    assert.match(String(mcp.headers["www-authenticate"]), /^Bearer /);
  });

  it("are for the members of their groups, while they are active", async () => {
    const { service, git, member, stranger } = fixture.now;
    await create("Tools");
    const names = async (user: MachineUser) => {
      const { body } = await get("marketplace.json", `Bearer ${user.credential}`);
      return body.plugins.map(({ name }: { name: string }) => name);
    };
    assert.deepEqual([await names(member), await names(stranger)], [["tools"], []]);
    const refs = "tools.git/info/refs?service=git-upload-pack";
    const unknown = await get("lost.git/info/refs?service=git-upload-pack");
    const foreign = await get(refs, `Bearer ${stranger.credential}`);
    assert.deepEqual([unknown.status, unknown.body], [404, { error: "Plugin not found" }]);
    assert.deepEqual([foreign.status, foreign.body], [404, { error: "Plugin not found" }]);
    const pack = await service.http("/plugins/tools.git/git-upload-pack", {
      method: "POST",
      headers: { authorization: `Bearer ${stranger.credential}` },
      body: "0000",
    });
    assert.equal(pack.status, 404);
    await assert.rejects(git.run("clone", urlOf("tools", stranger), "clone"), /not found/);
    await write("POST", "/api/plugins/tools/unpublish");
    assert.deepEqual([await names(member), (await get(refs)).status], [[], 404]);
  });

  it("cannot be pushed to, and other requests are refused", async () => {
    const { service, git, member } = fixture.now;
    await create("Tools");
    await git.run("clone", "--quiet", urlOf("tools"), "clone");
    const author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
    await git.run("-C", "clone", ...author, "commit", "--quiet", "--allow-empty", "-m", "Mine");
    await assert.rejects(git.run("-C", "clone", "push"), /403/);
    const post = async (path: string, body: string | Buffer, headers: Record<string, string> = {}) => {
      const authorization = `Bearer ${member.credential}`;
      return (await service.http(`/plugins/${path}`, { method: "POST", headers: { authorization, ...headers }, body }))
        .status;
    };
    assert.equal(await post("tools.git/git-receive-pack", "0000"), 403);
    assert.equal((await get("tools.git/info/refs")).status, 403);
    assert.equal((await get("tools.git/git-upload-pack")).status, 405);
    assert.equal(await post("marketplace.json", ""), 405);
    assert.equal(await post("tools.git/git-upload-pack", "x".repeat(1024 * 1024 + 1)), 413);
    assert.equal(await post("tools.git/git-upload-pack", "no gzip", { "content-encoding": "gzip" }), 400);
    const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024));
    assert.equal(await post("tools.git/git-upload-pack", bomb, { "content-encoding": "gzip" }), 400);
  });

  it("are not released if the built-in guard finds a token in a skill", async () => {
    const { service } = fixture.now;
    const token = `ghp_${"A1b2C3d4E5f6G7h8I9j0".repeat(2).slice(0, 36)}`;
    await write("PATCH", "/api/skills?slug=notes", { content: `Use ${token}` });
    const { body } = await service.api("GET", "/api/guards?type=buildtime&limit=200");
    const { slug } = body.data.find((guard: { slug: string }) => guard.slug.includes("secret"));
    await write("PATCH", `/api/guards?slug=${slug}`, { enabled: true });
    await write("POST", "/api/plugins", { name: "Tools", skills: ["notes"], groups: ["G"] });
    const blocked = await service.api("POST", "/api/plugins/tools/publish", {});
    assert.deepEqual([blocked.status, blocked.body.code], [400, "GUARD_BLOCKED"]);
    assert.deepEqual((await service.api("GET", "/api/plugins/tools/releases")).body.data, []);
    assert.equal((await get("tools.git/info/refs?service=git-upload-pack")).status, 404);
    await write("PATCH", `/api/guards?slug=${slug}`, { enabled: false });
  });

  it("are logged with plugin and version, once for each fetch", async () => {
    const { service, git, member } = fixture.now;
    await create("Tools");
    await git.run("clone", "--quiet", urlOf("tools"), "clone");
    await git.run("-C", "clone", "pull", "--quiet", "--ff-only");
    const listed = await get("marketplace.json");
    const again = await service.http("/plugins/marketplace.json", {
      headers: { authorization: `Bearer ${member.credential}`, "if-none-match": String(listed.headers.etag) },
    });
    assert.deepEqual([again.status, again.text], [304, ""]);
    const logged = async () => {
      const { body } = await service.api("GET", `/api/logs?method=plugin.fetch&user=${member.email}&limit=2`);
      return body.data.map((call: { tool: string; outcome: string }) => [call.tool, call.outcome]);
    };
    assert.deepEqual(await logged(), [
      ["marketplace.json", "ok"],
      ["tools@1.0.0", "ok"],
    ]);
  });
});
