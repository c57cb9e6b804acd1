import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { type EventReader, readEvents } from "#test/event-reader";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { type Service, startService } from "#test/start-service";
import { type LivelyUpstream, startLivelyUpstream } from "#test/upstreams/lively";

/** Which database stands behind makes no difference here. */
for (const eras of ["both", "legacy"] as const) {
  describe(`an upstream of ${eras === "both" ? "both eras" : "the legacy era"} that says what changed`, () => {
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
      const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
      const hello = await service.mcp(bot.credential, { jsonrpc: "2.0", id: 0, method: "initialize", params });
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

    it("is read again, and its callers hear of it", async () => {
      upstream.addTool("added");
      await stream.until(/tools\/list_changed/);
      assert.ok((await listed()).includes("lively__added"));
      assert.equal(/prompts\/list_changed/.test(stream.text), false);
    });

    it("is believed where nothing differs", async () => {
      upstream.announcePrompts();
      await stream.until(/prompts\/list_changed/);
    });

    it("is listened to again after the connection broke, and what was missed is read", async () => {
      const listening = upstream.listeners();
      const heard = stream.messages.length;
      upstream.addTool("unheard");
      upstream.drop();
      await until(() => upstream.listeners() > listening);
      await until(async () => (await listed()).includes("lively__unheard"));
      await until(() => stream.messages.length > heard);
    });
  });
}
