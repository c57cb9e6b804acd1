import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { withService } from "../../test/with-service.ts";

const PROVIDER = { provider: { type: "scripted", script: [{ tool: "nothing" }, { text: "Done" }] } };

withService("gatehouse agents", (world) => {
  const { shell } = world;
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await shell.run(["agents", ...args]);
    assert.equal(code, 0, stderr);
    return `${stdout}${stderr}`;
  };

  it("creates an agent with triggers, shows its secret once, and follows a session", async () => {
    writeFileSync(join(shell.folder, "provider.json"), JSON.stringify(PROVIDER));
    writeFileSync(join(shell.folder, "prompt.md"), "Help.");
    const fields = ["--instructions", "prompt.md", "--model", "scripted", "--status", "active"];
    const schedule = ["--cron", "0 9 * * 1-5", "--timezone", "Europe/Berlin", "--schedule-input", "Look"];
    const made = await run("create", "Helper", ...fields, ...schedule, "--webhook", "--json", "@provider.json");
    assert.match(made, /^secrets\.webhook +gh_ah_\w+$/m);
    const [agent] = JSON.parse((await shell.run(["agents", "list", "-o", "json"])).stdout);
    assert.equal(agent.triggers.schedule.timezone, "Europe/Berlin");
    const followed = await run("invoke", "helper", "--input", "Go", "--follow");
    assert.match(followed, /0 {2}model/);
    assert.match(followed, /tool_call nothing/);
    assert.match(followed, /3 {2}model {2}Done/);
    const rotated = await shell.run(["agents", "rotate-secret", "helper", "--overlap", "1", "-o", "json"]);
    assert.match(JSON.parse(rotated.stdout).secrets.webhook, /^gh_ah_\w+$/);
    assert.equal(rotated.stderr.includes("gh_ah_"), false);
    const saved = await run("rotate-secret", "helper", "--save-to", "helper.secret");
    assert.equal(saved.includes("gh_ah_"), false);
    assert.match(readFileSync(join(shell.folder, "helper.secret"), "utf8"), /^gh_ah_\w+\n$/);
    const off = await run("update", "helper", "--cron", "off", "--no-webhook");
    assert.match(off, /Updated agent `helper`/);
  });

  it("explains what is missing", async () => {
    const schedule = await shell.run(["agents", "update", "helper", "--cron", "0 9 * * *"]);
    assert.match(schedule.stderr, /Pass --schedule-input\./);
    const zone = await shell.run(["agents", "update", "helper", "--timezone", "UTC"]);
    assert.match(zone.stderr, /Pass --cron\./);
    const sync = await shell.run(["agents", "sync", "helper"]);
    assert.match(sync.stderr, /agents of the platform builtin have nothing to sync/);
  });
});
