import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { forEachApi } from "#test/api";
import { createGroup, createMachineUser, createPerson, createSyncedServer } from "#test/factories";
import { listText } from "#test/mcp-messages";
import { startRawUpstream } from "#test/upstreams/raw";

forEachApi("DELETE /api/users", (api) => {
  let slug = "";
  before(async () => {
    const upstream = await startRawUpstream();
    slug = await createSyncedServer(api.service, "Echo", upstream.url);
    // The tools are synced, and no test calls one.
    await upstream.close();
  });

  const remove = (email: string) => `/api/users?email=${encodeURIComponent(email)}`;
  const deleted = { message: "User deleted successfully" };
  const tools = async (credential: string) => {
    const answer = await api.service.mcp(credential, listText("legacy"));
    return [answer.status, answer.body?.result?.tools.length];
  };
  const connect = async (userId: string) => {
    const server = await api.db
      .selectFrom("mcp_servers")
      .select("id")
      .where("slug", "=", slug)
      .executeTakeFirstOrThrow();
    const what = { kind: "api_key", state: "connected", sealed_credential: "sealed" } as const;
    const row = { id: `con_${userId}`, user_id: userId, server_id: server.id, ...what, created_at: 1, updated_at: 1 };
    await api.db.insertInto("connections").values(row).execute();
  };
  /** The tables that contain this ID or key, except for audit entries and changes. */
  const tablesWith = async (mark: string) => {
    const { audit: _audit, changes: _changes, ...present } = await api.everything();
    return Object.keys(present).filter((table) => present[table]?.some((row) => row.includes(mark)));
  };

  describe("200", () => {
    it("deletes a machine user's key, memberships, owners, and connections, and the gateway rejects it immediately", async () => {
      const owner = await createPerson(api.service, "Owner", "owner@example.com");
      const bot = await createMachineUser(api.service, "bot");
      await api.call("PATCH", remove(bot.email), { owner_ids: [owner] });
      await createGroup(api.service, "bots", { slugs: [slug], emails: [bot.email] });
      await connect(bot.id);
      assert.deepEqual(await tools(bot.credential), [200, 2]);
      assert.deepEqual(await tablesWith(bot.id), ["connections", "credentials", "group_users", "user_owners", "users"]);
      await api.expect(200, deleted, "DELETE", remove(bot.email.toUpperCase()));
      assert.deepEqual(await tools(bot.credential), [401, undefined]);
      assert.deepEqual(await tablesWith(bot.id), []);
      assert.deepEqual(await tablesWith(String(bot.credential.split(":")[0])), []);
      assert.equal((await api.call("GET", "/api/groups?search=bots")).body.data[0].users_count, 0);
    });

    it("a machine user created again has the same slug and email, and inherits nothing (AZ-7)", async () => {
      const first = await createMachineUser(api.service, "phoenix");
      await createGroup(api.service, "birds", { slugs: [slug], emails: [first.email] });
      assert.deepEqual(await tools(first.credential), [200, 2]);
      await api.expect(200, deleted, "DELETE", remove(first.email));
      const second = await createMachineUser(api.service, "phoenix");
      assert.equal(second.email, first.email);
      assert.notEqual(second.id, first.id);
      assert.deepEqual(await tools(first.credential), [401, undefined]);
      assert.deepEqual(await tools(second.credential), [200, 0]);
      const [listed] = (await api.call("GET", "/api/users?search=phoenix")).body.data;
      assert.deepEqual([listed.slug, listed.group_ids, listed.owner_ids], ["phoenix", [], []]);
    });

    it("a person created again inherits no memberships and no machine users (D17, AZ-7)", async () => {
      const ada = await createPerson(api.service, "Ada", "Ada@Example.com");
      const bob = await createPerson(api.service, "Bob", "bob@example.com");
      const bot = await createMachineUser(api.service, "owned");
      await api.call("PATCH", remove(bot.email), { owner_ids: [ada, bob] });
      await createGroup(api.service, "people", { emails: ["ada@example.com", "bob@example.com"] });
      await connect(ada);
      const rows = await api.auditOf(() => api.expect(200, deleted, "DELETE", remove("ada@example.com")));
      const was = rows[0]?.before as { email: string; owned_user_ids: string[] }; // what deleteUser writes
      assert.deepEqual([was.email, was.owned_user_ids], ["Ada@Example.com", [bot.id]]);
      assert.deepEqual(await tablesWith(ada), []);
      await createPerson(api.service, "Ada", "ada@example.com");
      const { data } = (await api.call("GET", "/api/users?search=ada@")).body;
      assert.deepEqual([data.length, data[0].group_ids], [1, []]);
      assert.deepEqual((await api.call("GET", "/api/users?search=owned@")).body.data[0].owner_ids, [bob]);
      assert.equal((await tablesWith(data[0].id)).join(), "users");
    });

    it("notes changes of the user and all its credentials", async () => {
      const bot = await createMachineUser(api.service, "keys");
      const key = await api.db
        .selectFrom("credentials")
        .selectAll()
        .where("user_id", "=", bot.id)
        .executeTakeFirstOrThrow();
      const more = { ...key, id: `${key.id}x`, access_key: `${key.access_key}x`, revoked_at: 1 };
      await api.db.insertInto("credentials").values(more).execute();
      const rows = await api.auditOf(() => api.expect(200, deleted, "DELETE", remove(bot.email)));
      const was = rows[0]?.before as { access_keys: string[] }; // what deleteUser writes
      assert.deepEqual(was.access_keys, [key.access_key, more.access_key]);
      const { revision } = await api.db.selectFrom("change_counter").select("revision").executeTakeFirstOrThrow();
      const changes = await api.db.selectFrom("changes").selectAll().where("revision", "=", revision).execute();
      assert.deepEqual(changes.map((change) => `${change.kind} ${change.target_id}`).sort(), [
        `credential ${key.id}`,
        `credential ${more.id}`,
        `user ${bot.id}`,
      ]);
    });

    it("of ten concurrent deletions one succeeds, and the others return 404", async () => {
      const { email } = await createMachineUser(api.service, "contested");
      const answers = await Promise.all(Array.from({ length: 10 }, () => api.call("DELETE", remove(email))));
      assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, ...Array(9).fill(404)]);
    });
  });

  it("400 without an email, 404 for an unknown one, repeated as given", async () => {
    for (const path of ["/api/users", "/api/users?email=", "/api/users?email=%20"]) {
      await api.invalid("email query parameter is required", "DELETE", path);
    }
    await api.expect(404, { error: "User not found: No@Body.com" }, "DELETE", remove("No@Body.com"));
  });
});
