import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { start } from "../test/run.ts";
import { COMMANDS } from "./commands.ts";

const GUIDE = readFileSync(new URL("../../docs/guide/cli.md", import.meta.url), "utf8");
const rowsOf = (heading: string) =>
  (GUIDE.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.split(/(?<!\\)\|/).slice(1, -1));

describe("the guide on the command line", () => {
  it("lists every command of a running service with all its verbs", async () => {
    const rows = rowsOf("Commands for a running service");
    for (const [name, { load }] of Object.entries(COMMANDS)) {
      const row = rows.find(([commands = ""]) => commands.split(/[ ,`]+/).includes(name));
      assert.ok(row, `no row for ${name}`);
      const command = await load();
      const verbs = "verbs" in command ? Object.keys(command.verbs) : [];
      const listed = new Set(row[1]?.split(/[`, ]+/));
      assert.deepEqual(
        verbs.filter((verb) => !listed.has(verb)),
        [],
        `verbs of ${name} that the guide lacks`,
      );
    }
  });

  it("lists every command for operators", async () => {
    const { stdout } = await start(["--help"], {}, ".").ended;
    const [usage = ""] = stdout.split("\n\n");
    const names = [...usage.matchAll(/^ {2}gatehouse ((?:\S+ )+)/gm)].map(([, name = ""]) => name.trim());
    assert.ok(names.includes("serve") && names.includes("audit verify"));
    const listed = rowsOf("Commands for operators").map(([command = ""]) => command);
    for (const name of names)
      assert.ok(
        listed.some((each) => each.startsWith(` \`${name}`)),
        name,
      );
  });
});
