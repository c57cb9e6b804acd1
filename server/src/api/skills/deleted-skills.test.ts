import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachApi } from "#test/api";

forEachApi("deleted skills", (api) => {
  it("are removed from toolkits, commands and agents, so that no other skill takes their place", async () => {
    for (const name of ["notes", "kept"]) {
      const skill = await api.call("POST", "/api/skills", { name, description: "Writes.", content: "# Text" });
      assert.equal(skill.status, 201, skill.text);
    }
    const skills = ["notes", "kept"];
    const provider = { type: "scripted", script: [{ text: "Done" }] };
    const made = [
      await api.call("POST", "/api/toolkits", { name: "Kit", skills }),
      await api.call("POST", "/api/commands", { name: "write", content: "Write", skills }),
      await api.call("POST", "/api/background-agents", {
        name: "Writer",
        instructions: "x",
        skills,
        provider,
        model: "scripted",
      }),
    ];
    for (const { status, text } of made) assert.equal(status, 201, text);
    await api.call("DELETE", "/api/skills?slug=notes");
    const paths = ["/api/toolkits/kit", "/api/commands/write", "/api/background-agents/writer"];
    const read = await Promise.all(paths.map((path) => api.call("GET", path)));
    assert.deepEqual(
      read.map(({ body }) => body.data.skills),
      [["kept"], ["kept"], ["kept"]],
    );
  });
});
