import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { forEachDatabase, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { type EventReader, MODERN_META, modernHeaders, readEvents, rpc } from "#test/gateway-kit";
import { type Service, startService } from "#test/start-service";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const LINK = "file:///linked/1";
const WISHES = { toolsListChanged: true, promptsListChanged: true };

forEachDatabase("what the gateway remembers of callers", (open) => {
  let database: TestDatabase;
  let services: Service[] = [];
  let upstream: RawUpstream;
  let bot: MachineUser;

  before(async () => {
    database = await open();
    services = [await startService(database), await startService(database)];
    upstream = await startRawUpstream({ resources: { list: [], readable: /^file:/ } });
    upstream.behave = ({ method, id }) => {
      if (method !== "tools/call") return "json";
      const result = { resultType: "complete", content: [{ type: "resource_link", uri: LINK, name: "one" }] };
      return { status: 200, body: JSON.stringify({ jsonrpc: "2.0", id: Number(id), result }) };
    };
    const one = first();
    const slug = await createSyncedServer(one, "Files", upstream.url);
    bot = await createMachineUser(one, "bot");
    await createGroup(one, "bots", { slugs: [slug], emails: [bot.email] });
  });
  after(async () => {
    await Promise.all(services.map((service) => service.close()));
    await upstream?.close();
  });

  const first = () => {
    const [service] = services;
    assert.ok(service);
    return service;
  };
  const last = () => services.at(-1) ?? first();
  const until = async (holds: () => boolean | Promise<boolean>) => {
    while (!(await holds())) await setTimeout(20);
  };
  const send = (service: Service, method: string, params: Record<string, unknown>) => {
    const name = params.uri ?? params.name;
    const body = rpc(method, { ...params, _meta: MODERN_META });
    return service.mcp(bot.credential, body, modernHeaders(method, name === undefined ? undefined : String(name)));
  };
  const listed = async (service: Service): Promise<string[]> =>
    (await send(service, "tools/list", {})).body.result?.tools.map(({ name }: { name: string }) => name) ?? [];
  const listen = async (service: Service): Promise<EventReader> => {
    const stream = await readEvents(`${service.url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${bot.credential}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...modernHeaders("subscriptions/listen"),
      },
      body: JSON.stringify(rpc("subscriptions/listen", { notifications: WISHES, _meta: MODERN_META })),
    });
    await stream.until(/subscriptions\/acknowledged/);
    return stream;
  };
  const changeTools = async (names: readonly string[]) => {
    upstream.tools = names.map((name) => ({ name, inputSchema: { type: "object" } }));
    await until(async () => {
      await first().api("POST", "/api/mcp-servers/files/sync");
      return (await listed(first())).length === names.length;
    });
    await until(async () => (await listed(last())).length === names.length);
  };

  it("includes links to resources, at another process and after a restart", async () => {
    assert.ok((await send(first(), "tools/call", { name: "files__echo" })).body.result);
    const read = async (service: Service) => (await send(service, "resources/read", { uri: LINK })).body.result;
    assert.ok(await read(first()), "at the process that returned the link");
    await until(async () => (await read(last())) !== undefined);
    await services.pop()?.close();
    services.push(await startService(database));
    assert.ok(await read(last()), "after a restart");
  });

  it("includes what a listener was notified of, at another process and after a restart", async () => {
    await changeTools(["one"]);
    const before = await listen(first());
    await setTimeout(300); // until its state is stored
    before.close();
    await before.ended;
    const unchanged = await listen(last());
    await setTimeout(300);
    assert.ok(!/list_changed/.test(unchanged.text), "nothing changed");
    unchanged.close();
    await unchanged.ended;
    await setTimeout(300);
    await changeTools(["one", "two"]);
    const elsewhere = await listen(first());
    await elsewhere.until(/tools\/list_changed/);
    assert.ok(!/prompts\/list_changed/.test(elsewhere.text), "only what changed");
    elsewhere.close();
    await elsewhere.ended;
    await setTimeout(300);
    await services.pop()?.close();
    await changeTools(["one", "two", "three"]);
    services.push(await startService(database));
    const restarted = await listen(last());
    await restarted.until(/tools\/list_changed/);
    restarted.close();
  });
});
