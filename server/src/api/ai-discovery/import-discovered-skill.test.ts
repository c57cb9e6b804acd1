import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { before, it } from "node:test";
import { skillDigest } from "#policy/skill-digest";
import { forEachApi } from "#test/api";
import { reported, skill } from "#test/discovery-report";
import { createGroup } from "#test/factories";

const DISCOVERY = "/api/ai-discovery";

function skillMd(name: string, text = "Do it."): string {
  return `---\nname: ${name}\ndescription: About ${name}\n---\n${text}\n`;
}

/** A skill that consists of SKILL.md only. */
function single(name: string, content: string, sent = content) {
  const digest = skillDigest([{ path: "SKILL.md", digest: createHash("sha256").update(content).digest("hex") }]);
  return skill(name, { digest, files_count: 1, has_scripts: false, content: sent });
}

forEachApi("importDiscoveredSkill", (api) => {
  const report = async (device: string, skills: unknown[]) => {
    const { status, text, body } = await api.call("POST", `${DISCOVERY}/reports`, reported(device, { skills }));
    assert.equal(status, 200, text);
    assert.deepEqual(body.data.rejected, []);
    return body.data.wanted_texts;
  };
  const find = async (name: string) => (await api.call("GET", `${DISCOVERY}/skills?search=${name}`)).body.data[0];
  const importPath = async (name: string) => `${DISCOVERY}/skills/${(await find(name)).digest}/import`;
  const notSent = {
    error:
      "No device sent the text of this skill. Turn on the setting discovery_skill_texts and run the scan agent with --include-content",
  };

  before(async () => {
    await createGroup(api.service, "Engineering");
    await report("early", [single("early", skillMd("early"))]);
    await api.call("PATCH", "/api/settings", { discovery_skill_texts: true });
    await report("laptop", [
      single("pdf", skillMd("pdf")),
      single("forged", skillMd("forged"), skillMd("forged", "Something else.")),
      skill("large", { files_count: 4, content: skillMd("large", `Use ghp_${"a1B2".repeat(9)} and [it](a.md).`) }),
      skill("broken", { content: "no front matter" }),
      skill("silent"),
    ]);
  });

  it("requests the texts of reported skills that are missing, and none while the setting is off", async () => {
    const known = { ...single("pdf", skillMd("pdf")), content: undefined };
    const silent = skill("silent");
    const reported = [known, silent, { ...silent, client: "cursor" }];
    assert.deepEqual(await report("asked", reported), [silent.digest]);
    assert.deepEqual(await report("asked", reported), [silent.digest], "also for a report that changes nothing");
    await api.call("PATCH", "/api/settings", { discovery_skill_texts: false });
    assert.deepEqual(await report("asked", reported), []);
    await api.call("PATCH", "/api/settings", { discovery_skill_texts: true });
    const wanted = skill("wanted", { content: skillMd("wanted") });
    assert.deepEqual(await report("asked", [wanted]), []);
  });

  it("does not request a text again from a device whose text does not match the digest, but from others", async () => {
    const wrong = single("mistaken", skillMd("mistaken"), skillMd("mistaken", "Something else."));
    const reported = { ...wrong, content: undefined };
    assert.deepEqual(await report("mistaken", [reported]), [wrong.digest]);
    assert.deepEqual(await report("mistaken", [wrong]), []);
    assert.deepEqual(await report("mistaken", [reported]), []);
    assert.deepEqual(await report("mistaken", [reported]), [], "also for a report that changes nothing");
    assert.deepEqual(await report("another", [reported]), [wrong.digest]);
    const right = single("mistaken", skillMd("mistaken"));
    assert.equal(right.digest, wrong.digest);
    assert.deepEqual(await report("another", [right]), []);
    assert.equal((await find("mistaken")).has_text, true);
  });

  it("creates a draft skill for groups, and recognizes it on devices", async () => {
    assert.equal((await find("pdf")).has_text, true);
    let answer: { status: number; body: unknown } | undefined;
    const audits = await api.auditOf(async () => {
      answer = await api.call("POST", await importPath("pdf"), { groups: ["engineering"] });
    });
    assert.deepEqual([answer?.status, answer?.body], [201, { data: { slug: "pdf" } }]);
    assert.deepEqual([audits[0]?.operation, audits[0]?.target_name], ["importDiscoveredSkill", "pdf"]);
    const { data } = (await api.call("GET", "/api/skills/pdf")).body;
    assert.deepEqual([data.status, data.content.trim(), data.groups], ["draft", "Do it.", ["Engineering"]]);
    assert.equal(data.source.type, "discovery");
    const item = await find("pdf");
    assert.deepEqual([item.managed, item.review_status, data.digest], [true, "approved", item.digest]);
    const again = await api.call("POST", await importPath("pdf"));
    assert.deepEqual([again.status, again.body.message], [409, "This skill is a skill of your organization already"]);
  });

  it("warns about missing files and removed secrets", async () => {
    const { status, body } = await api.call("POST", await importPath("large"));
    assert.equal(status, 201);
    assert.deepEqual(body.warnings.slice(0, 2), [
      "Only SKILL.md was imported. Add the 3 other files of this skill before you activate it",
      "The scan agent removed a secret from SKILL.md",
    ]);
    const { data } = (await api.call("GET", "/api/skills/large")).body;
    assert.match(data.content, /Use \[REDACTED\] and/);
  });

  it("refuses skills without a text, with a wrong text, and those that the policy blocks", async () => {
    for (const name of ["silent", "forged", "early"]) {
      assert.equal((await find(name)).has_text, false, name);
      await api.expect(400, notSent, "POST", await importPath(name));
    }
    assert.equal((await api.call("POST", await importPath("broken"))).status, 400);
    await api.expect(400, { error: "Groups not found: x" }, "POST", await importPath("broken"), { groups: ["x"] });
    await api.expect(404, { error: "Skill not found" }, "POST", `${DISCOVERY}/skills/sha256:x/import`);
    const rule = { name: "No", kind: "skill", action: "block", match: { name: ["broken"] } };
    await api.call("POST", "/api/ai-discovery-policy/rules", rule);
    const blocked = { error: "The AI discovery policy blocks this skill. Change the policy first" };
    await api.expect(400, blocked, "POST", await importPath("broken"));
  });

  it("keeps the first text, and returns it in no list", async () => {
    await report("tablet", [skill("twice", { content: skillMd("twice", "First.") })]);
    await report("phone", [skill("twice", { content: skillMd("twice", "Second.") })]);
    const { text } = await api.call("GET", `${DISCOVERY}/skills?search=twice`);
    assert.equal(text.includes("First."), false);
    await api.call("POST", await importPath("twice"));
    assert.match((await api.call("GET", "/api/skills/twice")).body.data.content, /First/);
  });
});
