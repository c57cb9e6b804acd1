import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { exampleServer, exampleSnapshot, exampleUser } from "#test/example-entries";
import { decideServerTool, decideTool } from "./decide.ts";
import { SnapshotHolder } from "./holder.ts";

const tool = (slug: string, upstreamName = slug) => ({ slug, upstreamName });

describe("decideTool", () => {
  const long = tool("short-1", "a name that no client would take");
  const snapshot = exampleSnapshot({
    groups: { staff: false, testers: true, empty: false },
    servers: [
      exampleServer("open", ["staff"], {
        tools: new Map([
          ["echo", tool("echo")],
          ["b__c", tool("b__c")],
          ["_x", tool("_x")],
          ["short-1", long],
          ["a name that no client would take", long],
        ]),
      }),
      exampleServer("draft", ["staff", "testers"], { active: false }),
      exampleServer("hidden", ["staff"], { active: false }),
      exampleServer("bare", ["staff"], { upstream: undefined, tools: new Map() }),
      exampleServer("fresh", ["staff"], { synced: false, tools: new Map() }),
      exampleServer("orphan", ["dead"]),
    ],
  });
  const member = exampleUser("member", ["staff"]);
  const tester = exampleUser("tester", ["dead", "empty", "staff", "testers"]);
  const stranger = exampleUser("stranger", []);
  const former = exampleUser("former", ["dead"]);
  const disabled = exampleUser("disabled", ["staff"], { disabled: true });

  for (const [user, name, expected] of [
    [member, "open__echo", "echo"],
    [member, "open__b__c", "b__c"], // GW-4: the first `__` splits
    [member, "open___x", "_x"],
    [member, "open__short-1", "a name that no client would take"],
    [member, "open__a name that no client would take", "a name that no client would take"], // D28
    [tester, "draft__echo", "echo"], // D16
    [tester, "open__echo", "echo"],
  ] as const) {
    it(`${user.id} may call ${name}`, () => {
      const decision = decideTool(snapshot, user, name);
      assert.ok(decision.allowed);
      assert.equal(decision.tool.upstreamName, expected);
      assert.equal(decision.server.slug, name.slice(0, name.indexOf("__")));
      assert.ok(decision.server.groupIds.has(decision.through.id));
    });
  }

  for (const [user, name, reason] of [
    [member, "open", "malformed-name"],
    [member, "open_echo", "malformed-name"],
    [member, "__echo", "malformed-name"],
    [member, "open__", "malformed-name"],
    [member, "", "malformed-name"],
    [member, "nowhere__echo", "unknown-server"],
    [member, "OPEN__echo", "unknown-server"],
    [member, "__proto____echo", "malformed-name"],
    [member, "open__nothing", "unknown-tool"],
    [member, "open__ECHO", "unknown-tool"],
    [member, "open__constructor", "unknown-tool"],
    [member, "open__echo\0", "unknown-tool"],
    [member, "draft__echo", "draft"], // AZ-6
    [tester, "hidden__echo", "draft"],
    [member, "bare__echo", "no-upstream"],
    [member, "fresh__echo", "not-synced"],
    [stranger, "open__echo", "no-group"],
    [stranger, "draft__echo", "no-group"],
    [former, "orphan__echo", "no-group"], // a group that is gone opens nothing, whoever still names it
    [disabled, "open__echo", "user-disabled"],
  ] as const) {
    it(`${user.id} may not call ${JSON.stringify(name)}: ${reason}`, () => {
      const decision = decideTool(snapshot, user, name);
      assert.equal(decision.allowed, false);
      assert.equal(decision.reason, reason);
    });
  }

  it("decides alike when the address names the server and the tool comes bare", () => {
    for (const name of ["open__echo", "open__b__c", "draft__echo", "nowhere__echo", "open__"]) {
      const split = name.indexOf("__");
      assert.deepEqual(
        decideServerTool(snapshot, member, name.slice(0, split), name.slice(split + 2)),
        decideTool(snapshot, member, name),
      );
    }
  });
});

describe("what is listed", () => {
  const groupIds = ["g0", "g1", "g2", "g3"];
  const someGroups = fc.subarray([...groupIds, "gone"]);
  const worlds = fc.record({
    groups: fc.dictionary(fc.constantFrom(...groupIds), fc.boolean()),
    servers: fc.array(fc.record({ groups: someGroups, active: fc.boolean() }), { maxLength: 6 }),
    users: fc.array(fc.record({ groups: someGroups, disabled: fc.boolean() }), { minLength: 1, maxLength: 4 }),
  });

  it("is what can be called, and both are what the groups say (AZ-2, AZ-6)", () => {
    fc.assert(
      fc.property(worlds, ({ groups, servers, users }) => {
        const entries = servers.map(({ groups, active }, i) => exampleServer(`s${i}`, groups, { active }));
        const people = users.map(({ groups, disabled }, i) => exampleUser(`u${i}`, groups, { disabled }));
        const holder = new SnapshotHolder();
        holder.swap(exampleSnapshot({ groups, servers: entries, users: people }));
        for (const user of people) {
          const model = entries.filter(
            (server) =>
              !user.disabled &&
              Object.entries(groups).some(
                ([id, drafts]) => user.groupIds.includes(id) && server.groupIds.has(id) && (server.active || drafts),
              ),
          );
          const callable = entries.filter(
            (server) => decideTool(holder.current(), user, `${server.slug}__echo`).allowed,
          );
          const listed = JSON.parse(`[${holder.viewFor(user).toolsFragment()}]`);
          assert.deepEqual(callable, model);
          assert.deepEqual(
            listed,
            model.map((server) => ({ name: `${server.slug}__echo` })),
          );
        }
      }),
      { numRuns: 500 },
    );
  });
});
