import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { forEachApi } from "#test/api";
import { createGroup, createMachineUser, createPerson } from "#test/factories";

const SUCCESS = { data: { success: true } };

forEachApi("POST /api/groups/{name}/users", (api) => {
  let bot = "";
  before(async () => {
    await createPerson(api.service, "Ada", "Ada@Example.com");
    await createPerson(api.service, "Bob", "bob@example.com");
    bot = (await createMachineUser(api.service, "bot")).email;
  });
  const members = async (groupId: string) => {
    const { data } = (await api.call("GET", "/api/users")).body;
    return data
      .filter((user: { group_ids: string[] }) => user.group_ids.includes(groupId))
      .map((user: { name: string }) => user.name);
  };

  describe("200", () => {
    it("adds people and machine users by email without regard to case, each once (D20)", async () => {
      const id = await createGroup(api.service, "mixed");
      const path = "/api/groups/MIXED/users";
      await api.expect(200, SUCCESS, "POST", path, { emails: ["ada@example.com", "ADA@EXAMPLE.COM", bot] });
      await api.expect(200, SUCCESS, "POST", path, { emails: ["ada@example.com", "bob@example.com"] });
      assert.deepEqual(await members(id), ["Ada", "Bob", "bot"]);
      assert.equal((await api.call("GET", "/api/groups?search=mixed")).body.data[0].users_count, 3);
    });

    it("accepts ten concurrent requests", async () => {
      const id = await createGroup(api.service, "crowd");
      const emails = ["ada@example.com", "bob@example.com", bot];
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          api.call("POST", "/api/groups/crowd/users", { emails: i % 2 ? emails : emails.toReversed() }),
        ),
      );
      assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200]);
      assert.equal((await members(id)).length, 3);
    });
  });

  describe("400", () => {
    it("adds no user if an email is unknown, and lists the unknown ones in the given order", async () => {
      const id = await createGroup(api.service, "strict");
      const emails = ["x@example.com", "bob@example.com", "Y", "x@example.com"];
      const path = "/api/groups/strict/users";
      await api.expect(400, { error: "Users not found: x@example.com, Y" }, "POST", path, { emails });
      assert.deepEqual(await members(id), []);
      await api.invalid("emails: emails array cannot be empty", "POST", path, {});
      await api.invalid("emails: must be an array", "POST", path, { emails: "bob@example.com" });
      await api.invalid("emails.0: must be well-formed text without NUL characters", "POST", path, { emails: ["\0"] });
    });
  });
});
