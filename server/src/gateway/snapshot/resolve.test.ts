import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { exampleServer, exampleSnapshot, exampleTools, exampleUser } from "#test/example-entries";
import { SnapshotHolder } from "./holder.ts";
import { buildListing, EMPTY_LISTING } from "./listing.ts";
import { resolve } from "./resolve.ts";
import type { OwnSource, Snapshot, UserEntry } from "./shape.ts";

const named = (snapshot: Snapshot, user: UserEntry, name: string) => resolve(snapshot, { user }).named("tools", name);

describe("resolving a tool by name", () => {
  const long = { slug: "short-1", upstreamName: "a name that clients would reject" };
  const names = ["echo", "b__c", "_x"].map((name) => ({ slug: name, upstreamName: name }));
  const tools = buildListing(
    "tools",
    [...names, long].map((fields) => ({ identifier: `open__${fields.slug}`, definition: "{}", fields })),
    ({ slug, upstreamName }) => [slug, upstreamName],
  );
  const snapshot = exampleSnapshot({
    groups: { staff: false, testers: true, empty: false },
    servers: [
      exampleServer("open", ["staff"], { tools }),
      exampleServer("draft", ["staff", "testers"], { active: false }),
      exampleServer("hidden", ["staff"], { active: false }),
      exampleServer("bare", ["staff"], { upstream: undefined, tools: EMPTY_LISTING }),
      exampleServer("fresh", ["staff"], { synced: false, tools: EMPTY_LISTING }),
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
    [member, "open__short-1", "a name that clients would reject"],
    [member, "open__a name that clients would reject", "a name that clients would reject"], // D28
    [tester, "draft__echo", "echo"], // D16
    [tester, "open__echo", "echo"],
  ] as const) {
    it(`allows ${user.id} to call ${name}`, () => {
      const decision = named(snapshot, user, name);
      assert.ok(decision.kind === "forward");
      assert.equal(decision.item.upstreamName, expected);
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
    [former, "orphan__echo", "no-group"], // a deleted group gives no access, even if a user still refers to it
    [disabled, "open__echo", "user-disabled"],
  ] as const) {
    it(`forbids ${user.id} to call ${JSON.stringify(name)}: ${reason}`, () => {
      const decision = named(snapshot, user, name);
      assert.ok(decision.kind === "refused");
      assert.equal(decision.reason, reason);
    });
  }

  it("decides the same when the URL names the server and the tool name has no prefix", () => {
    for (const name of ["open__echo", "open__b__c", "draft__echo", "nowhere__echo", "open__"]) {
      const split = name.indexOf("__");
      const scope = { slug: name.slice(0, split), prefixed: false };
      assert.deepEqual(
        resolve(snapshot, { user: member }, scope).named("tools", name.slice(split + 2)),
        named(snapshot, member, name),
      );
    }
  });
});

describe("content served by the gateway itself", () => {
  const own: OwnSource = {
    kind: "own",
    key: "gatehouse",
    content: "example",
    active: true,
    groupIds: new Set(["staff"]),
    warnings: "",
    tools: exampleTools("gatehouse", ["find"]),
    prompts: EMPTY_LISTING,
    resources: buildListing(
      "resources",
      [{ identifier: "note://a", definition: "{}", fields: { uri: "note://a" } }],
      ({ uri }) => [uri],
    ),
    resourceTemplates: EMPTY_LISTING,
  };
  const ownTools = buildListing(
    "tools",
    [{ identifier: "gatehouse__find", definition: "{}", fields: { slug: "gatehouse__find", upstreamName: "find" } }],
    ({ slug }) => [slug],
  );
  const member = exampleUser("member", ["staff"]);
  const stranger = exampleUser("stranger", ["other"]);
  const snapshot = {
    ...exampleSnapshot({
      groups: { staff: false, other: false },
      servers: [exampleServer("a", ["staff"]), exampleServer("z", ["staff"])],
      users: [member, stranger],
    }),
    ownSources: [{ ...own, tools: ownTools }],
  };

  it("is listed among the servers, ordered by key, for users with access", () => {
    const holder = new SnapshotHolder();
    holder.swap(snapshot);
    assert.equal(
      holder.viewFor({ user: member }).fragment("tools").toString(),
      '{"name":"a__echo"},{"name":"gatehouse__find"},{"name":"z__echo"}',
    );
    assert.equal(holder.viewFor({ user: stranger }).count("tools"), 0);
  });

  it("is answered by the gateway for users with access, and rejected like an unknown tool for others", () => {
    const decision = named(snapshot, member, "gatehouse__find");
    assert.ok(decision.kind === "here");
    assert.equal(decision.source.content, "example");
    assert.deepEqual(named(snapshot, stranger, "gatehouse__find"), named(snapshot, stranger, "nowhere__find"));
    assert.equal(resolve(snapshot, { user: member }).resource("note://a")?.kind, "here");
    assert.equal(resolve(snapshot, { user: stranger }).resource("note://a"), undefined);
  });
});

describe("listed tools", () => {
  const groupIds = ["g0", "g1", "g2", "g3"];
  const someGroups = fc.subarray([...groupIds, "gone"]);
  const worlds = fc.record({
    groups: fc.dictionary(fc.constantFrom(...groupIds), fc.boolean()),
    servers: fc.array(fc.record({ groups: someGroups, active: fc.boolean() }), { maxLength: 6 }),
    users: fc.array(fc.record({ groups: someGroups, disabled: fc.boolean() }), { minLength: 1, maxLength: 4 }),
  });

  it("are exactly the callable tools, and both follow from the groups (AZ-2, AZ-6)", () => {
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
            (server) => named(holder.current(), user, `${server.slug}__echo`).kind === "forward",
          );
          const listed = JSON.parse(`[${holder.viewFor({ user }).fragment("tools")}]`);
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
