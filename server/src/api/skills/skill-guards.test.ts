import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachApi } from "#test/api";
import { makeZip, SKILL_MD } from "#test/zip";

forEachApi("build-time guards on skills", (api) => {
  const notes = { name: "notes", description: "Writes notes.", content: "# Notes\n" };
  const get = async () => (await api.call("GET", "/api/skills/notes")).body.data;

  it("are evaluated by build-time guards when they become active, and when active ones change", async () => {
    const guard = { name: "No plutonium", type: "buildtime", action: "block", enabled: true };
    const checks = [{ id: "words", type: "keyword", name: "Words", config: { words: ["plutonium"] } }];
    await api.call("POST", "/api/guards", { ...guard, checks });
    const blocked = { code: "GUARD_BLOCKED", message: "content: blocked by guard no-plutonium (Words)" };
    const files = [{ path: "a.txt", content: "plutonium" }];
    await api.expect(400, blocked, "POST", "/api/skills", { ...notes, files, status: "active" });
    assert.deepEqual((await api.call("GET", "/api/skills")).body.data, []);
    assert.equal((await api.call("POST", "/api/skills", { ...notes, files })).status, 201);
    await api.expect(400, blocked, "PATCH", "/api/skills?slug=notes", { status: "active" });
    assert.equal((await get()).status, "draft");
    const active = await api.call("PATCH", "/api/skills?slug=notes", { status: "active", files: [] });
    assert.deepEqual([active.status, active.body.data.version], [200, 2]);
    await api.expect(400, blocked, "POST", "/api/skills/notes/rollback", { version: 1 });
    const archive_base64 = makeZip([
      { path: "SKILL.md", content: SKILL_MD },
      { path: "b", content: "plutonium" },
    ]).toString("base64");
    await api.expect(400, blocked, "POST", "/api/skills/import?overwrite=true", { archive_base64 });
    assert.equal((await get()).version, 2);
    await api.call("PATCH", "/api/guards?slug=no-plutonium", { action: "warn" });
    const warned = await api.call("POST", "/api/skills/notes/rollback", { version: 1 });
    assert.deepEqual(warned.body.warnings, ["content: warning of guard no-plutonium (Words)"]);
    await api.call("DELETE", "/api/guards?slug=no-plutonium");
  });
});
