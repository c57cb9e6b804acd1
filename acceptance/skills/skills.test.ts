import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { before, it } from "node:test";
import type { MachineUser } from "../kit/api.ts";
import { send } from "../kit/http.ts";
import { forEachTarget } from "../kit/suite.ts";

forEachTarget("Skills", (api) => {
  let member: MachineUser;
  let stranger: MachineUser;
  let group: string;
  before(async () => {
    member = await api.machineUser();
    stranger = await api.machineUser();
    group = await api.group({ emails: [member.email] });
  });

  const at = async (user: MachineUser, method: string, params: object = {}) => {
    const { body } = await send(api.target.gatewayUrl, "/mcp", {
      method: "POST",
      headers: {
        authorization: `Bearer ${user.credential}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return body;
  };

  it("reach the members of their groups with the bytes of their digests, and no others [S2.9-skills]", async () => {
    const name = api.unique("skill");
    const files = [{ path: "scripts/run.sh", content: "#!/bin/sh\n", executable: true }];
    const skill = { name, description: "Runs a script.", content: "# Run\n", files, groups: [group] };
    await api.body(201, "POST", "/api/skills", skill);
    const uri = `skill://${name}/SKILL.md`;
    assert.equal((await at(member, "resources/read", { uri })).error.code, -32002);
    await api.body(200, "PATCH", `/api/skills?slug=${name}`, { status: "active" });
    const { result } = await at(member, "skills/get", { uri });
    assert.deepEqual(result.skill.frontmatter, { name, description: "Runs a script." });
    assert.equal(result.skill.resources.length, 2);
    for (const { uri: file, digest, size } of result.skill.resources) {
      const [{ text }] = (await at(member, "resources/read", { uri: file })).result.contents;
      const bytes = Buffer.from(text);
      const actual = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
      assert.deepEqual([actual, bytes.length], [digest, size]);
    }
    const unknown = `skill://${api.unique("none")}/SKILL.md`;
    const errors = [
      await at(stranger, "resources/read", { uri }),
      await at(stranger, "resources/read", { uri: unknown }),
    ];
    assert.deepEqual(errors[0].error, { ...errors[1].error, data: { uri } });
    const listed = (await at(stranger, "skills/list")).result.skills;
    assert.ok(!listed.some((each: { uri: string }) => each.uri === uri));
  });

  it("are imported, validated, and restored to an earlier version [S2.9-skills]", async () => {
    const name = api.unique("skill");
    const text = (description: string) => `---\nname: ${name}\ndescription: ${description}\n---\n\nText\n`;
    const { data } = await api.body(200, "POST", "/api/skills/validate", { skill_md: "no front matter" });
    assert.deepEqual(
      [data.valid, data.errors],
      [false, [{ field: "SKILL.md", message: "must start with front matter between two lines of ---" }]],
    );
    await api.body(201, "POST", "/api/skills/import", { skill_md: text("One") });
    const taken = await api.call("POST", "/api/skills/import", { skill_md: text("Two") });
    assert.deepEqual([taken.status, taken.body.message], [400, "name: skill with this name already exists"]);
    const second = await api.body(200, "POST", "/api/skills/import?overwrite=true", { skill_md: text("Two") });
    assert.equal(second.data.version, 2);
    const restored = await api.body(200, "POST", `/api/skills/${name}/rollback`, { version: 1 });
    assert.deepEqual([restored.data.version, restored.data.description], [3, "One"]);
    const file = await api.body(200, "GET", `/api/skills/${name}/files?path=SKILL.md`);
    assert.equal(file.data.content, text("One"));
  });
});
