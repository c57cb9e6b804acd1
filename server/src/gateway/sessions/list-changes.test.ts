import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createServer, createSyncedServer, type MachineUser } from "#test/factories";
import { type EventReader, initializeRequest, readEvents } from "#test/gateway-kit";
import { type Service, startService } from "#test/start-service";
import { startEventStreamUpstream } from "#test/upstreams/event-stream";
import { type LivelyUpstream, startLivelyUpstream } from "#test/upstreams/lively";

const STDIO_PROGRAM = new URL("../../../test/upstreams/stdio-echo.ts", import.meta.url).pathname;

/** Behavior does not depend on the database, so one is enough. */
for (const eras of ["both", "legacy"] as const) {
  describe(`an upstream of ${eras === "both" ? "both eras" : "the legacy era"} that announces changes`, () => {
    let database: TestDatabase;
    let service: Service;
    let upstream: LivelyUpstream;
    let bot: MachineUser;
    let stream: EventReader;

    before(async () => {
      database = await openTestSqlite();
      service = await startService(database);
      upstream = await startLivelyUpstream(eras);
      await createSyncedServer(service, "Lively", upstream.url);
      bot = await createMachineUser(service, "bot");
      await createGroup(service, "bots", { slugs: ["lively"], emails: [bot.email] });
      const hello = await service.mcp(bot.credential, initializeRequest());
      const session = String(hello.headers["mcp-session-id"]);
      const listening = upstream.listeners();
      stream = await readEvents(`${service.url}/mcp`, {
        method: "GET",
        headers: { authorization: `Bearer ${bot.credential}`, "mcp-session-id": session },
      });
      await until(() => upstream.listeners() > listening);
    });
    after(async () => {
      stream?.close();
      await service?.close();
      await upstream?.close();
      await database?.close();
    });

    const until = async (holds: () => boolean | Promise<boolean>) => {
      while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const listed = async (): Promise<string[]> => {
      const answer = await service.mcp(bot.credential, { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
      return answer.body.result.tools.map(({ name }: { name: string }) => name);
    };

    it("is synced again, and its callers are notified, unless they use tool search", async () => {
      const hello = await service.mcp(bot.credential, initializeRequest());
      const searching = await readEvents(`${service.url}/mcp?tools=search`, {
        method: "GET",
        headers: {
          authorization: `Bearer ${bot.credential}`,
          "mcp-session-id": String(hello.headers["mcp-session-id"]),
        },
      });
      upstream.addTool("added");
      await stream.until(/tools\/list_changed/);
      upstream.announcePrompts();
      await searching.until(/prompts\/list_changed/);
      assert.equal(/tools\/list_changed/.test(searching.text), false);
      searching.close();
      assert.ok((await listed()).includes("lively__added"));
    });

    it("causes notifications even if nothing differs", async () => {
      upstream.announcePrompts();
      await stream.until(/prompts\/list_changed/);
    });

    it("is listened to again after the connection broke, and missed changes are synced", async () => {
      const listening = upstream.listeners();
      const received = stream.messages.length;
      upstream.addTool("unheard");
      upstream.drop();
      await until(() => upstream.listeners() > listening);
      await until(async () => (await listed()).includes("lively__unheard"));
      await until(() => stream.messages.length > received);
    });
  });
}

describe("an upstream that announces changes over its transport, to callers that listen at the gateway", () => {
  let database: TestDatabase;
  let service: Service;
  let bot: MachineUser;
  const streams: EventReader[] = [];

  before(async () => {
    database = await openTestSqlite();
    const localServersFile = join(database.dataDir, "servers.json");
    const program = { command: process.execPath, args: [STDIO_PROGRAM] };
    const modern = { ...program, args: [STDIO_PROGRAM, "modern"] };
    writeFileSync(localServersFile, JSON.stringify({ mcpServers: { local: program, "local-modern": modern } }));
    service = await startService(database, { config: { localServersFile } });
    bot = await createMachineUser(service, "bot");
  });
  after(async () => {
    for (const stream of streams) stream.close();
    await service?.close();
    await database?.close();
  });

  async function listenFor(slug: string): Promise<EventReader> {
    const hello = await service.mcp(bot.credential, initializeRequest());
    const headers = {
      authorization: `Bearer ${bot.credential}`,
      "mcp-session-id": String(hello.headers["mcp-session-id"]),
    };
    const stream = await readEvents(`${service.url}/mcp/${slug}`, { method: "GET", headers });
    streams.push(stream);
    return stream;
  }
  /** Announces until the notification arrives, because it is not visible from outside when the gateway listens. */
  async function toldUntilHeard(stream: EventReader, tell: (time: number) => unknown): Promise<void> {
    for (let time = 0; !/tools\/list_changed/.test(stream.text); time++) {
      await tell(time);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  for (const slug of ["local", "local-modern"]) {
    it(`notifies over stdio (${slug})`, async () => {
      await createGroup(service, `of ${slug}`, { slugs: [slug], emails: [bot.email] });
      assert.equal((await service.api("POST", `/api/mcp-servers/${slug}/sync`)).body.data.sync_error, null);
      const stream = await listenFor(slug);
      await toldUntilHeard(stream, async (time) => {
        const params = { name: `${slug}__grow`, arguments: { name: `grown_${time}` } };
        await service.mcp(bot.credential, { jsonrpc: "2.0", id: 1, method: "tools/call", params });
      });
    });
  }

  for (const type of ["sse", "both"]) {
    it(`notifies over HTTP+SSE (${type})`, async () => {
      const upstream = await startEventStreamUpstream();
      try {
        const mcp_proxy = JSON.stringify({ type, url: upstream.url });
        await createSyncedServer(service, type, upstream.url, { mcp_proxy });
        await createGroup(service, `of ${type}`, { slugs: [type], emails: [bot.email] });
        const stream = await listenFor(type);
        const changed = JSON.stringify({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
        await toldUntilHeard(stream, () => upstream.say(`event: message\ndata: ${changed}\n\n`));
      } finally {
        await upstream.close();
      }
    });
  }

  it("notifies with the listener's own credential if it needs one", async () => {
    const upstream = await startLivelyUpstream("both");
    try {
      const auth_settings = { authType: "proxy-api-key", headerName: "X-Api-Key" };
      await createServer(service, "Keyed", upstream.url, { auth_settings });
      await createGroup(service, "of keyed", { slugs: ["keyed"], emails: [bot.email] });
      const key = await service.api("PUT", `/api/user/api-key?email=${bot.email}&mcp=keyed`, { key: "k-1" });
      assert.equal(key.status, 200, key.text);
      const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
      while (!/keyed__steps/.test((await service.mcp(bot.credential, list)).text));
      const stream = await listenFor("keyed");
      await toldUntilHeard(stream, (time) => upstream.addTool(`added_${time}`));
    } finally {
      await upstream.close();
    }
  });
});
