import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { nextEntries, selectedNames, splitName } from "./own-entries.ts";

const entry = (server: string, tool: string, alias: string | null = null) => {
  return { server, tool, alias, title: null, description: null, arguments: { fixed: {}, defaults: {}, hidden: [] } };
};
const NAMES = ["github__search", "github__get__issue", "linear__list"];

describe("the tools of a user's toolkit", () => {
  it("have the server before the first separator", () => {
    assert.deepEqual(splitName("github__get__issue"), { server: "github", tool: "get__issue" });
  });

  it("are those that entries name", () => {
    const entries = [entry("github", "get__issue", "read"), entry("gone", "x")];
    assert.deepEqual([...selectedNames(entries, NAMES)], ["github__get__issue"]);
  });

  it("keep their changes, and entries of tools that are not listed", () => {
    const read = entry("github", "get__issue", "read");
    const gone = entry("gone", "x");
    const selected = new Set(["github__get__issue", "linear__list"]);
    assert.deepEqual(nextEntries([read, entry("github", "search"), gone], NAMES, selected), [
      read,
      gone,
      { server: "linear", tool: "list" },
    ]);
  });

  it("send all other tools without changes, as the API requires", () => {
    assert.deepEqual(nextEntries([entry("github", "*")], [], new Set()), [{ server: "github", tool: "*" }]);
  });
});
