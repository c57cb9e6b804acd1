import assert from "node:assert/strict";
import { before, it } from "node:test";
import { agent, localServer, memoryFile, remoteServer, reported, skill } from "#test/discovery-report";
import { withService } from "../../test/with-service.ts";

withService("gatehouse discovery", (world) => {
  const { shell } = world;
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await shell.run(["discovery", ...args]);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const json = async (...args: string[]) => JSON.parse(await run(...args, "-o", "json"));
  const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name).sort();

  before(async () => {
    const report = reported("laptop", {
      mcp_servers: [remoteServer("wiki", "https://wiki.example.com/mcp"), localServer("files", ["-y", "@acme/files"])],
      skills: [skill("pdf")],
      agent_memory: [memoryFile("~/.claude/CLAUDE.md")],
      agents: [agent("Cursor")],
    });
    const answer = await world.service.api("POST", "/api/ai-discovery/reports", report);
    assert.equal(answer.status, 200, answer.text);
  });

  it("summarizes and lists what devices reported", async () => {
    assert.equal((await json("summary")).devices.active, 1);
    assert.deepEqual(names(await json("servers", "--unmanaged")), ["files", "wiki"]);
    assert.deepEqual(names(await json("servers", "--search", "wiki", "--client", "cursor")), ["wiki"]);
    assert.deepEqual(await json("servers", "--action", "block"), []);
    assert.deepEqual(names(await json("servers", "--min-risk", "20")), ["files"]);
    assert.deepEqual(names(await json("skills", "--device", "laptop")), ["pdf"]);
    assert.deepEqual(names(await json("memory")), ["CLAUDE.md"]);
    assert.deepEqual(names(await json("agents")), ["Cursor"]);
    assert.match(await run("servers"), /NAME +ACTION +RISK.*\n(?:files|wiki) /);
    assert.deepEqual(
      (await json("devices", "--status", "active")).map(({ id }: { id: string }) => id),
      ["laptop"],
    );
    assert.equal((await json("violations", "--device", "laptop", "--action", "warn")).length, 2);
    assert.match(await run("violations"), / Present /);
  });

  it("shows which violations are in quarantine on their device", async () => {
    const body = reported("desktop", {
      mcp_servers: [remoteServer("jira", "https://jira.example.com/mcp", { quarantined: true })],
    });
    await world.service.api("POST", "/api/ai-discovery/reports", body);
    assert.match(await run("violations", "--device", "desktop"), /jira.* Quarantined /);
    await world.service.api("DELETE", "/api/ai-discovery/devices?id=desktop");
  });

  it("reviews and imports a server, and exports the inventory", async () => {
    const [{ fingerprint }] = await json("servers", "--search", "wiki");
    assert.equal((await shell.run(["discovery", "review", fingerprint])).code, 64);
    await run("review", fingerprint, "--status", "approved", "--note", "Ours");
    assert.deepEqual(names(await json("servers", "--review", "approved")), ["wiki"]);
    assert.match(await run("import", fingerprint, "--name", "Wiki"), /wiki/);
    const again = await shell.run(["discovery", "import", fingerprint]);
    assert.match(again.stderr, /already registered as wiki/);
    assert.match(await run("export", "mcp_servers", "--format", "csv"), /wiki/);
    assert.match(await run("export", "devices"), /laptop/);
  });

  it("reviews skills, memory files and agents", async () => {
    for (const [verb, list, key] of [
      ["review-skill", "skills", "digest"],
      ["review-memory", "memory", "id"],
      ["review-agent", "agents", "id"],
    ] as const) {
      const [item] = await json(list, "--device", "laptop");
      assert.equal((await shell.run(["discovery", verb, item[key]])).code, 64);
      assert.match(await run(verb, item[key], "--status", "rejected", "--note", "Not ours"), /rejected/);
      const [after] = await json(list, "--review", "rejected");
      assert.deepEqual([after.name, after.note], [item.name, "Not ours"]);
    }
  });

  it("lists where an item is, and where it was", async () => {
    for (const [kind, list, key, path] of [
      ["mcp_servers", "servers", "fingerprint", "~/.cursor/mcp.json"],
      ["skills", "skills", "digest", "~/.claude/skills/pdf"],
      ["agent_memory", "memory", "id", "~/.claude/CLAUDE.md"],
      ["agents", "agents", "id", "/Applications/Cursor.app"],
    ] as const) {
      const rows = await json(list, ...(kind === "mcp_servers" ? ["--search", "wiki"] : []));
      const found = await json("instances", kind, rows[0][key]);
      assert.deepEqual(
        found.map((each: { path: string; device_id: string }) => [each.path, each.device_id]),
        [[path, "laptop"]],
      );
      assert.match(await run("instances", kind, rows[0][key], "--removed", "--limit", "1"), /laptop\.local/);
    }
    const wrong = await shell.run(["discovery", "instances", "nothing", "x"]);
    assert.deepEqual([wrong.code, /must be one of mcp_servers, skills/.test(wrong.stderr)], [64, true]);
  });

  it("shows, assigns and retires a device", async () => {
    await world.service.api("POST", "/api/ai-discovery/reports", reported("spare", { skills: [skill("spare")] }));
    assert.equal((await json("device", "spare")).instances.length, 1);
    assert.equal((await json("assign-device", "spare", "ada@example.com")).user_email, "ada@example.com");
    assert.equal((await json("assign-device", "spare")).user_email, "spare@example.com");
    assert.notEqual((await shell.run(["discovery", "retire-device", "spare"])).code, 0);
    await run("retire-device", "spare", "--yes");
    assert.deepEqual(
      (await json("devices", "--status", "retired")).map(({ id }: { id: string }) => id),
      ["spare"],
    );
    await run("delete-device", "spare", "--yes");
  });

  it("imports a skill whose text a device sent", async () => {
    await world.service.api("PATCH", "/api/settings", { discovery_skill_texts: true });
    const content = "---\nname: notes\ndescription: Writes notes\n---\nWrite notes.\n";
    const body = reported("tablet", { skills: [skill("notes", { content })] });
    await world.service.api("POST", "/api/ai-discovery/reports", body);
    const [{ digest }] = await json("skills", "--device", "tablet");
    const { code, stdout, stderr } = await shell.run(["discovery", "import-skill", digest]);
    assert.equal(code, 0, stderr);
    assert.match(stdout + stderr, /Created draft skill `notes`/);
    assert.match(stdout + stderr, /Only SKILL.md was imported\. Add the 1 other file/);
    const [{ digest: without }] = await json("skills", "--device", "laptop");
    assert.match((await shell.run(["discovery", "import-skill", without])).stderr, /No device sent the text/);
    await run("delete-device", "tablet", "--yes");
  });

  it("deletes a device only with a confirmation", async () => {
    assert.notEqual((await shell.run(["discovery", "delete-device", "laptop"])).code, 0);
    await run("delete-device", "laptop", "--yes");
    assert.deepEqual(await json("devices"), []);
    assert.deepEqual(names(await json("skills", "--removed")), ["notes", "pdf", "spare"]);
  });
});
