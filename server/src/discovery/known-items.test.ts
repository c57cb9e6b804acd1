import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { localServer, remoteServer, skill } from "#test/discovery-report";
import { KnownItems } from "./known-items.ts";
import { ItemNormalizer } from "./normalize-items.ts";

describe("KnownItems", () => {
  const known = new KnownItems();
  const [ada, kim] = [new ItemNormalizer(["ada"], known), new ItemNormalizer(["kim"], known)];

  it("shares the item of an entry between reports", () => {
    const first = ada.normalize("skill", skill("pdf"), 0);
    assert.equal(kim.normalize("skill", skill("pdf"), 3), first);
    assert.notEqual(kim.normalize("skill", skill("pdf", { path: "~/other/pdf" }), 0), first);
  });

  it("distinguishes kinds", () => {
    const entry = skill("pdf");
    assert.notEqual(known.keyOf("skill", entry), known.keyOf("agent", entry));
  });

  for (const home of ["/Users/ada", "/home/ada", "C:\\Users\\ada", "c:/users/ada"]) {
    it(`does not share an entry with ${home}, because it is shortened for one user only`, () => {
      const server = localServer("files", ["-y", "server-files", `${home}/code`]);
      const args = (normalizer: ItemNormalizer) => {
        const result = normalizer.normalize("mcp_server", server, 0);
        return "reason" in result ? result.reason : JSON.stringify(result.details.args);
      };
      assert.match(args(ada), /"~/);
      assert.doesNotMatch(args(kim), /"~/);
    });
  }

  it("reports the place of an invalid entry, also if the same entry was invalid before", () => {
    const invalid = remoteServer("x", "https://a.example.com/mcp", { scope: "nowhere" });
    for (const index of [1, 2]) {
      const result = ada.normalize("mcp_server", invalid, index);
      assert.ok("reason" in result && result.path === `mcp_servers.${index}.scope`);
    }
  });

  it("does not share long and nested entries", () => {
    assert.equal(known.keyOf("skill", skill("long", { content: "x".repeat(3_000) })), undefined);
    assert.equal(known.keyOf("skill", skill("deep", { issues: [[["x"]]] })), undefined);
    assert.equal(known.keyOf("skill", null), undefined);
  });
});
