import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type AccessibleTool, byServer, shortName } from "./access.ts";

function tool(name: string, why: string, draft = false): AccessibleTool {
  const [server = "", upstream = ""] = name.split("__");
  return { tool: name, server, upstream_name: upstream, draft, groups: [], why };
}

const TOOLS = [tool("git__search", "A"), tool("git__create_issue", "A"), tool("wiki__search", "B", true)];

describe("the tools a user can call", () => {
  it("are grouped by server, each with its reason", () => {
    assert.deepEqual(
      byServer(TOOLS, undefined).map(({ slug, why, draft, tools }) => [slug, why, draft, tools.length]),
      [
        ["git", "A", false, 2],
        ["wiki", "B", true, 1],
      ],
    );
  });

  it("are searched by full name without regard to case, and servers without a match are omitted", () => {
    assert.deepEqual(
      byServer(TOOLS, "IT__SEA").map(({ slug, tools }) => [slug, tools.map((each) => shortName(each.tool))]),
      [["git", ["search"]]],
    );
    assert.deepEqual(byServer(TOOLS, "nothing"), []);
  });

  it("keep further underscores in their short name", () => {
    assert.equal(shortName("git__create__issue"), "create__issue");
  });
});
