import assert from "node:assert/strict";
import { before, it } from "node:test";
import { forEachApi } from "#test/api";
import { invite, signedInAs } from "#test/browser";
import { createGroup, createMachineUser, createPerson } from "#test/factories";

forEachApi("GET /api/users", (api) => {
  const emails = async (query: string) => {
    const { status, body } = await api.call("GET", `/api/users${query}`);
    assert.equal(status, 200);
    return body.data.map((user: { email: string }) => user.email);
  };
  const bot = "ci-bot";
  before(async () => {
    await createPerson(api.service, "Zoë 100%", "Zoe@Example.com");
    await createPerson(api.service, "under_score", "u_s@example.com");
    await createPerson(api.service, "back\\slash", "b@example.com");
    await createMachineUser(api.service, bot);
  });

  it("200 with people and machine users, oldest first, and the pagination", async () => {
    const { body } = await api.call("GET", "/api/users");
    assert.deepEqual(body.pagination, { skip: 0, limit: 100, hasMore: false });
    const [zoe, , , machine] = body.data;
    assert.deepEqual([zoe.is_machine_user, "slug" in zoe, "owner_ids" in zoe], [false, false, false]);
    assert.deepEqual([machine.is_machine_user, machine.slug, machine.owner_ids], [true, bot, []]);
    assert.equal(body.data.length, 4);
  });

  it("searches name and email without regard to case, and matches %, _, and \\ literally", async () => {
    assert.deepEqual(await emails("?search=ZO%C3%8B"), ["Zoe@Example.com"]);
    assert.deepEqual(await emails("?search=zoe@example"), ["Zoe@Example.com"]);
    assert.deepEqual(await emails("?search=%25"), ["Zoe@Example.com"]);
    assert.deepEqual(await emails("?search=_"), ["u_s@example.com"]);
    assert.deepEqual(await emails("?search=%5C"), ["b@example.com"]);
    assert.deepEqual(await emails("?search=machine.example.com"), [`${bot}@machine.example.com`]);
  });

  it("lists group_ids, oldest group first", async () => {
    const first = await createGroup(api.service, "b", { emails: ["zoe@example.com"] });
    const second = await createGroup(api.service, "a", { emails: ["zoe@example.com"] });
    const [zoe] = (await api.call("GET", "/api/users?search=zoe")).body.data;
    assert.deepEqual(zoe.group_ids, [first, second]);
  });

  it("paginates with skip and limit", async () => {
    const walked: string[] = [];
    for (let skip = 0, hasMore = true; hasMore; skip += 3) {
      const { body } = await api.call("GET", `/api/users?skip=${skip}&limit=3`);
      assert.deepEqual([body.pagination.skip, body.pagination.limit], [skip, 3]);
      walked.push(...body.data.map((user: { email: string }) => user.email));
      hasMore = body.pagination.hasMore;
    }
    assert.deepEqual(walked, await emails(""));
  });

  it("filters by type and group, and returns none for an unknown group", async () => {
    await createGroup(api.service, "Bots", { emails: [`${bot}@machine.example.com`, "b@example.com"] });
    assert.deepEqual(await emails("?type=machine"), [`${bot}@machine.example.com`]);
    assert.equal((await emails("?type=person")).length, 3);
    assert.deepEqual(await emails("?group=bOTS"), ["b@example.com", `${bot}@machine.example.com`]);
    assert.deepEqual(await emails("?group=bots&type=person&search=SLASH"), ["b@example.com"]);
    assert.deepEqual(await emails("?group=unknown"), []);
    await api.invalid("type: must be one of person, machine", "GET", "/api/users?type=robot");
  });

  it("filters people by role, and excludes members of a group", async () => {
    await api.call("PATCH", "/api/users?email=u_s@example.com", { role: "auditor" });
    assert.deepEqual(await emails("?role=auditor"), ["u_s@example.com"]);
    assert.deepEqual(await emails("?role=member"), ["Zoe@Example.com", "b@example.com"]);
    assert.deepEqual(await emails("?exclude_group=bOTS"), ["Zoe@Example.com", "u_s@example.com"]);
    assert.equal((await emails("?exclude_group=unknown")).length, 4);
    await api.invalid("role: must be one of owner, admin, auditor, member", "GET", "/api/users?role=root");
  });

  it("include_details adds access keys, last activity, and invitations, but no secrets", async () => {
    const machine = await createMachineUser(api.service, "busy");
    const list = async () => {
      const { body } = await api.call("GET", "/api/users?include_details=true");
      return new Map<string, Record<string, unknown>>(body.data.map((user: { email: string }) => [user.email, user]));
    };
    const before = (await list()).get(machine.email);
    assert.deepEqual([before?.access_key, before?.last_used_at], [machine.credential.split(":")[0], null]);
    assert.deepEqual([before?.client_credentials, before?.previous_secret_expires_at], [null, null]);
    assert.deepEqual(["last_seen_at" in (before ?? {}), "invited" in (before ?? {})], [false, false]);
    await api.service.mcp(machine.credential, {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "no__tool" },
    });
    await api.call("GET", "/api/logs");
    const after = await list();
    assert.match(String(after.get(machine.email)?.last_used_at), /^\d{4}-/);
    assert.deepEqual(
      ["last_used_at", "last_seen_at", "invited"].map((key) => after.get("b@example.com")?.[key]),
      [null, null, false],
    );
    await invite(api.service, "b@example.com");
    await signedInAs(api.service, "admin", "seen@example.com");
    const people = await list();
    assert.equal(people.get("b@example.com")?.invited, true);
    assert.match(String(people.get("seen@example.com")?.last_seen_at), /^\d{4}-/);
    assert.equal(people.get("seen@example.com")?.invited, false);
    const methods = ["seen@example.com", "b@example.com"].map((email) => people.get(email)?.sign_in_methods);
    assert.deepEqual(methods, [["password"], []]);
    assert.deepEqual(
      [before?.connections_count, before?.owners, people.get("b@example.com")?.owners],
      [0, [], undefined],
    );
    const seen = people.get("seen@example.com");
    await api.call("PATCH", `/api/users?email=${machine.email}`, { owner_ids: [seen?.id] });
    assert.deepEqual((await list()).get(machine.email)?.owners, [
      { id: seen?.id, name: seen?.name, email: "seen@example.com" },
    ]);
    assert.equal(JSON.stringify([...people]).includes(String(machine.credential.split(":")[1])), false);
  });
});
