import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createServer, type MachineUser } from "#test/factories";
import { callText, eraHeaders } from "#test/mcp-messages";
import { type Service, startService } from "#test/start-service";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const KEYED = { auth_settings: { authType: "proxy-api-key", headerName: "X-Api-Key", headerPrefix: "" } };
const LINK = "http://127.0.0.1:8080/connect/keyed";
const CALL = { name: "keyed__echo", arguments: { n: 1 } };

/** Behavior does not depend on the database, so one is enough. */
describe("caller who is not connected, with a client that supports URL elicitation (D25)", () => {
  let database: TestDatabase;
  let service: Service;
  let upstream: RawUpstream;
  let bot: MachineUser;
  const elicitations: unknown[] = [];

  before(async () => {
    database = await openTestSqlite();
    service = await startService(database);
    upstream = await startRawUpstream({ behave: ({ headers }) => (headers["x-api-key"] ? "json" : { status: 401 }) });
    bot = await createMachineUser(service, "bot");
    const reader = await createMachineUser(service, "reader");
    await createServer(service, "Keyed", upstream.url, KEYED);
    await createGroup(service, "bots", { slugs: ["keyed"], emails: [bot.email, reader.email] });
    await connect(reader);
    while ((await service.api("GET", "/api/mcp-servers/keyed")).body.data.tools_count === 0);
  });
  after(async () => {
    await service?.close();
    await upstream?.close();
    await database?.close();
  });
  beforeEach(async () => {
    elicitations.length = 0;
    await service.api("DELETE", `/api/user/connection?email=${bot.email}&mcp=keyed`);
    upstream.seen.length = 0;
  });

  const connect = async ({ email }: MachineUser) => {
    const answer = await service.api("PUT", `/api/user/api-key?email=${email}&mcp=keyed`, { key: "k-1" });
    assert.equal(answer.status, 200, answer.text);
  };
  const calls = () => upstream.seen.filter(({ method }) => method === "tools/call");

  async function withClient(
    mode: "legacy" | "auto",
    elicitation: Record<string, Record<string, never>>,
    answer: () => Promise<{ action: "accept" | "decline" }>,
    use: (client: Client) => Promise<void>,
  ) {
    const negotiation = mode === "auto" ? { versionNegotiation: { mode } } : {};
    const client = new Client({ name: "real", version: "1.0.0" }, { capabilities: { elicitation }, ...negotiation });
    client.setRequestHandler("elicitation/create", ({ params }) => {
      elicitations.push(params);
      return answer();
    });
    const requestInit = { headers: { authorization: `Bearer ${bot.credential}` } };
    try {
      await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }));
      await use(client);
    } finally {
      await client.close();
    }
  }
  const message = `Server "keyed" needs you to connect to it first. An owner of bot@machine.example.com can do so here.`;

  it("receives a URL elicitation error in the legacy era", async () => {
    await withClient("legacy", { url: {} }, assert.fail, async (client) => {
      await assert.rejects(client.callTool(CALL), (error: { code: number; data: { elicitations: object[] } }) => {
        assert.equal(error.code, -32042);
        const [{ elicitationId, ...elicitation } = { elicitationId: "" }] = error.data.elicitations as {
          elicitationId: string;
        }[];
        assert.ok(elicitationId);
        assert.deepEqual(elicitation, { mode: "url", message, url: LINK });
        return true;
      });
    });
    assert.deepEqual(calls(), []);
    const [logged] = (await service.api("GET", "/api/logs?limit=1")).body.data;
    assert.equal(logged.outcome, "not_connected");
  });

  it("is asked to open the link in the modern era, and the call succeeds after connecting", async () => {
    const answer = async () => {
      await connect(bot);
      return { action: "accept" as const };
    };
    await withClient("auto", { url: {} }, answer, async (client) => {
      assert.deepEqual((await client.callTool(CALL)).structuredContent, { n: 1 });
    });
    assert.deepEqual(elicitations, [{ mode: "url", message, url: LINK }]);
    const sent = JSON.stringify(calls().map(({ body }) => JSON.parse(body.toString()).params));
    assert.doesNotMatch(sent, /inputResponses|requestState/);
  });

  it("receives the link as text and is not asked again if still not connected, in the modern era", async () => {
    for (const action of ["accept", "decline"] as const) {
      elicitations.length = 0;
      await withClient(
        "auto",
        { url: {} },
        async () => ({ action }),
        async (client) => {
          const { isError, content } = await client.callTool(CALL);
          assert.deepEqual([isError, content], [true, [{ type: "text", text: message.replace(/\.$/, `: ${LINK}`) }]]);
        },
      );
      assert.equal(elicitations.length, 1);
    }
  });

  for (const mode of ["legacy", "auto"] as const) {
    it(`receives the link as text if the client only supports forms (${mode})`, async () => {
      await withClient(mode, { form: {} }, assert.fail, async (client) => {
        const { isError, content } = await client.callTool(CALL);
        assert.equal(isError, true);
        assert.match(JSON.stringify(content), /\/connect\/keyed/);
      });
    });
  }

  it("forwards another server's input responses: only the gateway's state is removed", async () => {
    await connect(bot);
    const text = callText({ era: "modern", id: "7", tool: CALL.name, arguments: '{"n":1}' });
    const body = JSON.parse(text.toString());
    Object.assign(body.params, { inputResponses: { q: { action: "accept" } }, requestState: "theirs" });
    await service.mcp(bot.credential, body, eraHeaders("modern", "tools/call", CALL.name));
    const [sent] = calls();
    const { inputResponses, requestState } = JSON.parse(sent?.body.toString() ?? "").params;
    assert.deepEqual([inputResponses, requestState], [{ q: { action: "accept" } }, "theirs"]);
  });
});
