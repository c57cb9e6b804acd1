import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ISO_TIME } from "../kit/contract.ts";
import { forEachTarget } from "../kit/suite.ts";
import { startUpstream } from "../kit/upstream.ts";

const PATH = "/api/groups";
const OFF = { auto_assign_users: false, auto_assign_mcps: false, show_draft_mcps: false };
const of = (name: string) => `${PATH}?name=${encodeURIComponent(name)}`;

forEachTarget("groups", (api) => {
  const auto = async (setting: "auto_assign_users" | "auto_assign_mcps") => {
    const { data } = await api.body(201, "POST", PATH, { name: api.unique("auto"), settings: { [setting]: true } });
    return data;
  };
  const counts = async (name: string) => {
    const { data } = await api.body(200, "GET", `${PATH}?search=${name}`);
    return [data[0].users_count, data[0].integrations_count];
  };

  describe("POST", () => {
    it("returns the group, with settings off by default [S4.3-create S2.5-settings S2.5-record]", async () => {
      const name = api.unique("Crew");
      const { data, ...rest } = await api.body(201, "POST", PATH, { name, settings: { show_draft_mcps: true } });
      assert.deepEqual(rest, {});
      assert.deepEqual([data.name, data.settings], [name, { ...OFF, show_draft_mcps: true }]);
      assert.deepEqual([data.users_count, data.integrations_count], [0, 0]);
      assert.match(data.created_at, ISO_TIME);
      assert.match(data.updated_at, ISO_TIME);
      assert.equal(typeof data.id, "string");
    });

    it("400 without a name [S4.3-create-name]", async () => {
      for (const body of [{}, { name: "" }, { name: "  " }, { settings: {} }]) {
        await api.invalid("name: name is required", "POST", PATH, body);
      }
    });

    it("400 for an existing name, without regard to case [S2.5-name-identifies]", async () => {
      const name = await api.group();
      const message = "name: group with this name already exists";
      await api.invalid(message, "POST", PATH, { name: name.toUpperCase() });
      const other = await api.group();
      await api.invalid(message, "PATCH", of(other), { name });
    });

    it("400 for settings that are not booleans [S2.5-settings]", async () => {
      await api.invalid("settings: must be an object", "POST", PATH, { name: "x", settings: true });
      for (const key of Object.keys(OFF)) {
        const message = `settings.${key}: must be true or false`;
        await api.invalid(message, "POST", PATH, { name: "x", settings: { [key]: "yes" } });
      }
    });
  });

  describe("PATCH", () => {
    it("renames a group, and changes the given settings [S4.3-update S2.5-settings]", async () => {
      const name = await api.group({ settings: { auto_assign_mcps: false, show_draft_mcps: true } });
      const renamed = api.unique("Renamed");
      const first = await api.body(200, "PATCH", of(name.toUpperCase()), { name: renamed });
      assert.deepEqual(Object.keys(first), ["data"]);
      assert.deepEqual([first.data.name, first.data.settings], [renamed, { ...OFF, show_draft_mcps: true }]);
      const second = await api.body(200, "PATCH", of(renamed), { settings: { show_draft_mcps: false } });
      assert.deepEqual([second.data.name, second.data.settings], [renamed, OFF]);
      await api.expect(404, { error: "Group not found" }, "PATCH", of(name), {});
    });

    it("400 without the name parameter, and 404 for an unknown group [S4.3-update-errors S7-missing-parameter S7-not-found]", async () => {
      await api.invalid("name query parameter is required", "PATCH", PATH, {});
      await api.expect(404, { error: "Group not found" }, "PATCH", of(api.unique("none")), {});
    });
  });

  describe("DELETE", () => {
    it("is permanent, and members lose their access [S4.3-delete S4.3-delete-access]", async () => {
      const upstream = await startUpstream();
      try {
        const slug = await api.serverOf(upstream.url);
        const bot = await api.machineUser();
        const name = await api.group({ slugs: [slug], emails: [bot.email] });
        assert.equal((await api.toolNames(bot.credential)).length, 2);
        await api.expect(200, { message: "Group deleted successfully" }, "DELETE", of(name));
        assert.deepEqual(await api.toolNames(bot.credential), []);
        const { data } = await api.body(200, "GET", `/api/users?search=${bot.email}`);
        assert.deepEqual(data[0].group_ids, []);
        await api.expect(404, { error: "Group not found" }, "DELETE", of(name));
      } finally {
        await upstream.close();
      }
    });

    it("400 without the name parameter, and 404 for an unknown group [S4.3-delete-errors S7-missing-parameter S7-not-found]", async () => {
      await api.invalid("name query parameter is required", "DELETE", PATH);
      await api.expect(404, { error: "Group not found" }, "DELETE", of(api.unique("none")));
    });
  });

  describe("POST /{name}/integrations", () => {
    it("adds servers, and ignores those already in the group [S4.3-integrations S4.3-integrations-again]", async () => {
      const [a, b] = [await api.server(), await api.server()];
      const name = await api.group({ name: api.unique("Größe & Co/") });
      const path = `${PATH}/${encodeURIComponent(name.toUpperCase().replace("GRÖSSE", "GRÖßE"))}/integrations`;
      await api.expect(200, { data: { success: true } }, "POST", path, { slugs: [a] });
      await api.expect(200, { data: { success: true } }, "POST", path, { slugs: [a, b, a] });
      assert.deepEqual(await counts(encodeURIComponent(name)), [0, 2]);
    });

    it("400 for an empty list [S4.3-integrations-empty S8-slugs]", async () => {
      const path = `${PATH}/${await api.group()}/integrations`;
      for (const body of [{}, { slugs: [] }]) {
        await api.invalid("slugs: slugs array cannot be empty", "POST", path, body);
      }
      await api.invalid("slugs: must be an array", "POST", path, { slugs: "a" });
    });

    it("400 with the unknown slugs, and adds none [S4.3-integrations-unknown S7-unknown-slugs]", async () => {
      const known = await api.server();
      const name = await api.group();
      const [a, b] = [api.unique("a"), api.unique("b")];
      const body = { slugs: [b, known, a] };
      await api.expect(
        400,
        { error: `Integrations not found: ${b}, ${a}` },
        "POST",
        `${PATH}/${name}/integrations`,
        body,
      );
      assert.deepEqual(await counts(name), [0, 0]);
    });

    it("404 for an unknown group, 400 for a blank name [S4.3-integrations-group S7-not-found]", async () => {
      const path = `${PATH}/${api.unique("none")}/integrations`;
      await api.expect(404, { error: "Group not found" }, "POST", path, { slugs: ["a"] });
      await api.invalid("name: name is required", "POST", `${PATH}/%20/integrations`, { slugs: ["a"] });
    });
  });

  describe("auto-assignment", () => {
    it("adds new people automatically, but not machine users [S2.5-auto-users]", async () => {
      const group = await auto("auto_assign_users");
      const person = await api.person();
      const bot = await api.machineUser();
      const groupsOf = async (email: string) =>
        (await api.body(200, "GET", `/api/users?search=${email}`)).data[0].group_ids;
      assert.ok((await groupsOf(person.email)).includes(group.id));
      assert.equal((await groupsOf(bot.email)).includes(group.id), false);
    });

    it("adds new servers automatically [S2.5-auto-mcps]", async () => {
      const { name } = await auto("auto_assign_mcps");
      const slug = await api.server({ status: "active" });
      const { data } = await api.body(200, "GET", `/api/mcp-servers?search=${slug}`, undefined, {
        "x-service-group": name,
      });
      assert.equal(data.length, 1);
    });
  });
});
