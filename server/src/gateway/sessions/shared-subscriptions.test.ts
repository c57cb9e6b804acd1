import assert from "node:assert/strict";
import { after, afterEach, before, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { forEachDatabase, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { type EventReader, initializeRequest, readEvents, rpc } from "#test/gateway-kit";
import { type Service, startService } from "#test/start-service";
import { type LivelyUpstream, startLivelyUpstream } from "#test/upstreams/lively";

const URI = "lively:thing";

forEachDatabase("a subscription to a resource at several processes", (open, dialect) => {
  let database: TestDatabase;
  let services: [Service, Service];
  let upstream: LivelyUpstream;
  let bot: MachineUser;
  const streams: EventReader[] = [];

  before(async () => {
    database = await open();
    services = [await startService(database), await startService(database)];
    const [one, two] = services;
    upstream = await startLivelyUpstream("legacy");
    await createSyncedServer(one, "Lively", upstream.url);
    bot = await createMachineUser(one, "bot");
    await createGroup(one, "bots", { slugs: ["lively"], emails: [bot.email] });
    while (!(await two.mcp(bot.credential, rpc("tools/list"))).body.result?.tools.length) await setTimeout(10);
  });
  after(async () => {
    for (const service of services ?? []) await service.close();
    await upstream?.close();
  });
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.close();
  });

  async function begin(): Promise<string> {
    return String((await services[0].mcp(bot.credential, initializeRequest())).headers["mcp-session-id"]);
  }
  async function listen(service: Service, session: string): Promise<EventReader> {
    const headers = { authorization: `Bearer ${bot.credential}`, "mcp-session-id": session };
    const stream = await readEvents(`${service.url}/mcp`, { method: "GET", headers });
    streams.push(stream);
    return stream;
  }
  const ask = async (service: Service, session: string, method: string) => {
    const message = rpc(`resources/${method}`, { uri: URI });
    return (await service.mcp(bot.credential, message, { "mcp-session-id": session })).body.result;
  };
  const updates = ({ text }: EventReader) => text.split("resources/updated").length - 1;
  /** Updates until the notification arrives, because it is not visible from outside which process listens. */
  async function updatedUntilHeard(stream: EventReader): Promise<void> {
    const before = updates(stream);
    while (updates(stream) === before) {
      upstream.update(URI);
      await setTimeout(10);
    }
  }

  /** The state that the previous holder of the only subscription reported when another process took it over. */
  async function handedOver(): Promise<string> {
    for (;;) {
      const rows = await database.databases.main.selectFrom("mcp_subscriptions").select("handed_over").execute();
      const [{ handed_over: word } = { handed_over: null }] = rows.slice(-1);
      if (word !== null) return word;
      await setTimeout(10);
    }
  }

  it("notifies where the session's stream is, whichever process subscribed", async () => {
    const session = await begin();
    const stream = await listen(services[1], session);
    assert.deepEqual(await ask(services[0], session, "subscribe"), {});
    await updatedUntilHeard(stream);
    assert.deepEqual(new Set(stream.messages.map(({ params }) => params.uri)), new Set([URI]));
    await ask(services[0], session, "unsubscribe");
  });

  // On SQLite there is one process, so no holder is asked.
  const itWithReplicas = dialect === "postgres" ? it : () => {};

  itWithReplicas("notifies the caller after a takeover only if an update may have been missed", async () => {
    const session = await begin();
    const stream = await listen(services[1], session);
    assert.deepEqual(await ask(services[0], session, "subscribe"), {});
    assert.equal(await handedOver(), "quiet");
    // Now one process listens, and notifies of each update once.
    for (let count = 1; count <= 3; count++) {
      upstream.update(URI);
      await stream.until(new RegExp(`(resources/updated[\\s\\S]*){${count}}`));
    }
    assert.equal(updates(stream), 3);
    stream.close();
    // A notification on a stream that broke soon after may not have arrived.
    const next = await listen(services[0], session);
    await next.until(/resources\/updated/);
    await ask(services[0], session, "unsubscribe");
  });

  it("moves with the session's stream to another process", async () => {
    const session = await begin();
    const first = await listen(services[0], session);
    assert.deepEqual(await ask(services[0], session, "subscribe"), {});
    first.close();
    const second = await listen(services[1], session);
    await updatedUntilHeard(second);
  });

  it("ends everywhere when the caller unsubscribes at any process", async () => {
    const session = await begin();
    const stream = await listen(services[1], session);
    const other = await begin();
    const witness = await listen(services[1], other);
    for (const each of [session, other]) assert.deepEqual(await ask(services[1], each, "subscribe"), {});
    assert.deepEqual(await ask(services[0], session, "unsubscribe"), {});
    // The control session receives each update; the other one stops receiving them at some point.
    for (let silent = 0; silent < 3; ) {
      const received = updates(stream);
      await updatedUntilHeard(witness);
      silent = updates(stream) === received ? silent + 1 : 0;
    }
  });
});
