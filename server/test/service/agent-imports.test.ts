import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { forEachDatabase } from "#test/databases";
import { createMachineUser } from "#test/factories";
import { type ManagedAgentsStub, startManagedAgentsStub } from "#test/managed-agents-stub";
import { type OwnService, startService } from "#test/start-service";

forEachDatabase("imports of agents", (open) => {
  let service: OwnService;
  let stub: ManagedAgentsStub;
  before(async () => {
    stub = await startManagedAgentsStub();
    service = await startService(await open(), {});
  });
  after(async () => {
    await service?.close();
    await stub?.close();
  });

  const call = async (method: string, path: string, body?: object) => {
    const answer = await service.api(method, path, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.body.data;
  };
  const create = (more: object) =>
    call("POST", "/api/background-agents", { name: "Twin", instructions: "Help.", model: "m", ...more });

  it("import agents of the same name, each with a machine user that has the name of its slug", async () => {
    const script = { type: "scripted", script: [] };
    const other = await createMachineUser(service, "Other");
    await create({ provider: script, identity: other.email });
    for (const id of ["agent_one", "agent_two"])
      stub.agents.set(id, { id, name: "Twin", model: "m", system: "Be kind.", version: 1 });
    const platform_config = { base_url: stub.url, api_key: "not-a-key", environment_id: "env_1" };
    const imported = await call("POST", "/api/background-agents/sync", { platform: "anthropic", platform_config });
    assert.deepEqual(
      imported.map(({ slug, identity }: Record<string, string>) => [slug, identity?.split("@")[0]]),
      [
        ["twin-2", "agent-twin-2"],
        ["twin-3", "agent-twin-3"],
      ],
    );
    const created = await create({ provider: script });
    assert.deepEqual([created.slug, created.identity.split("@")[0]], ["twin-4", "agent-twin-4"]);
  });

  it("take at most 64 KiB of instructions, and do not push what was cut", async () => {
    const long = "é".repeat(40_000);
    const system = () => stub.agents.get("agent_long")?.system;
    stub.agents.set("agent_long", { id: "agent_long", name: "Long", model: "m", system: `x${long}`, version: 1 });
    const platform_config = { base_url: stub.url, api_key: "not-a-key", environment_id: "env_1" };
    await call("POST", "/api/background-agents/sync", { platform: "anthropic", platform_config });
    for (const direction of ["both", "pull", "both"]) {
      const { sync: state, pushed } = await call("POST", "/api/background-agents/long/sync", { direction });
      assert.deepEqual([state.status, pushed, system()], ["drift", false, `x${long}`], direction);
      const { instructions } = await call("GET", "/api/background-agents/long");
      assert.equal(instructions, `x${"é".repeat(32_767)}`);
    }
  });
});
