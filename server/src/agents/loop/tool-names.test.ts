import assert from "node:assert/strict";
import { it } from "node:test";
import { ToolNames } from "./tool-names.ts";

it("replaces names that providers do not accept, without taking the name of another tool", () => {
  const long = "a".repeat(65);
  const names = ["t_1", "has.dots", long, "fine__tool", "fine__tool", "1st"];
  const tools = new ToolNames(names.map((name) => ({ name, description: undefined, inputSchema: {} })));
  const shown = tools.definitions.map(({ name }) => name);
  assert.deepEqual(shown, ["t_1", "t_2", "t_3", "fine__tool", "t_4", "t_5"]);
  assert.deepEqual(
    shown.map((name) => tools.original(name)),
    names,
  );
  assert.equal(tools.original("invented"), undefined);
});
