import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { systemClock } from "#lib/clock";
import { forEachDatabase } from "#test/databases";
import { createGroup, createMachineUser, createServer, type MachineUser } from "#test/factories";
import { rpc } from "#test/gateway-kit";
import { type Service, startService } from "#test/start-service";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const INTERVAL_MS = 15 * 60 * 1000;
const tool = (name: string) => ({ name, description: name, inputSchema: { type: "object" } });

forEachDatabase("a server that requires a credential per user", (open) => {
  const clock = { ...systemClock, offMs: 0, now: () => systemClock.now() + clock.offMs };
  let service: Service;
  let upstream: RawUpstream;
  let bot: MachineUser;

  before(async () => {
    service = await startService(await open(), { clock });
    upstream = await startRawUpstream({ tools: [tool("old")] });
    bot = await createMachineUser(service, "bot");
    await createServer(service, "Keyed", upstream.url, { auth_settings: { authType: "proxy-api-key" } });
    await createGroup(service, "bots", { slugs: ["keyed"], emails: [bot.email] });
    const connected = await service.api("PUT", `/api/user/api-key?email=${bot.email}&mcp=keyed`, { key: "k" });
    assert.equal(connected.status, 200, connected.text);
    await untilListed("keyed__old");
  });
  after(async () => {
    await service?.close();
    await upstream?.close();
  });

  const request = (method: string, params: object = {}) => service.mcp(bot.credential, rpc(method, params));
  const listed = async (): Promise<string[]> =>
    (await request("tools/list")).body.result.tools.map(({ name }: { name: string }) => name);
  const untilListed = async (name: string) => {
    while (!(await listed()).includes(name)) await setTimeout(5);
  };
  const call = async () => {
    const { body, text } = await request("tools/call", { name: "keyed__old", arguments: {} });
    assert.ok(body.result, text);
  };

  it("is synced with the credential of a caller once the last sync is older than the interval", async () => {
    await call();
    const syncs = upstream.count("tools/list");
    upstream.tools = [tool("old"), tool("new")];
    clock.offMs = INTERVAL_MS / 2;
    await call();
    await call();
    assert.equal(upstream.count("tools/list"), syncs, "it was synced recently");
    clock.offMs = INTERVAL_MS + 60_000;
    for (let calls = 0; calls < 5; calls++) await call();
    await untilListed("keyed__new");
    for (let calls = 0; calls < 5; calls++) await call();
    // A sync lists twice: without client capabilities, and with all of them.
    assert.equal(upstream.count("tools/list"), syncs + 2, "one sync for all these calls");
  });
});
