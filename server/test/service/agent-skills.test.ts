import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { forEachDatabase, type TestDatabase } from "#test/databases";
import { modelAnswer, startReceiver } from "#test/model-provider";
import { type OwnService, startService } from "#test/start-service";

const SKILL = { description: "How we sort issues", content: "Critical issues first.", status: "active" };
const SKILLS = [
  { ...SKILL, name: "triage" },
  { ...SKILL, name: "hidden" },
];

/** Families 7. */
forEachDatabase("skills of an agent", (open) => {
  let database: TestDatabase;
  let service: OwnService;
  let model: Awaited<ReturnType<typeof startReceiver>>;
  before(async () => {
    database = await open();
    service = await startService(database);
    model = await startReceiver([
      modelAnswer("I read", { name: "triage" }, "load_skill"),
      modelAnswer("Another", { name: "hidden" }, "load_skill"),
      modelAnswer("Done"),
    ]);
  });
  after(async () => {
    await service?.close();
    await model?.close();
  });

  it("are named in its instructions, and are read with a tool that only the loop has", async () => {
    for (const skill of SKILLS) {
      const created = await service.api("POST", "/api/skills", skill);
      assert.equal(created.status, 201, created.text);
    }
    const agent = await service.api("POST", "/api/background-agents", {
      ...{ name: "Sorter", instructions: "Help.", status: "active", model: "m", skills: ["triage"] },
      provider: { type: "openai-compatible", base_url: model.url, api_key: "k" },
    });
    assert.equal(agent.status, 201, agent.text);
    const run = await service.api("POST", "/api/background-agents/sorter/invoke", { input: "Go", wait_seconds: 60 });
    assert.equal(run.body.data.output, "Done", run.text);

    const [first = "", second = "", third = ""] = model.bodies;
    const [system] = JSON.parse(first).messages;
    assert.match(
      system.content,
      /^Help\.\n\nSkills[^\n]*load_skill:\n- triage \(skill:\/\/triage\/SKILL\.md\): How we/,
    );
    assert.doesNotMatch(system.content, /hidden/);
    assert.match(JSON.parse(second).messages.at(-1).content, /Critical issues first/);
    assert.match(JSON.parse(third).messages.at(-1).content, /Unknown skill: hidden/);
  });
});
