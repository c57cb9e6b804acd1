import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { after, afterEach, before, describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { McpServer } from "@modelcontextprotocol/server";
import pg from "pg";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { type EventReader, initializeRequest, readEvents, rpc } from "#test/gateway-kit";
import { prepareReplicas, type Replicas } from "#test/long/replicas";
import type { ServiceProcess } from "#test/long/service-process";
import { type EchoUpstream, startEchoUpstream } from "#test/upstreams/echo";

const CAPABILITIES = { elicitation: { form: {} }, roots: {} };
const QUESTION = { message: "?", requestedSchema: { type: "object" as const, properties: {} } };
const ANSWER = { action: "accept", content: {} };

/** Far longer than any of these waits takes, so that a message that never comes fails with its name. */
const WAIT_MS = 120_000;

async function until(what: string, hasHappened: () => boolean): Promise<void> {
  for (const endsAt = performance.now() + WAIT_MS; !hasHappened(); await setTimeout(5)) {
    if (performance.now() > endsAt) throw new Error(`waited in vain for ${what}`);
  }
}

/** What a test can do in the upstream session of the last tool call. */
interface Armed {
  readonly sessionId: string;
  ask(signal?: AbortSignal): Promise<string>;
  log(data: string): Promise<void>;
}

/** Two processes, as operators run them, and an SDK upstream, which allows one stream per session: 409 for a second. */
describe("messages of an upstream between the calls of a session at two processes", () => {
  let replicas: Replicas;
  let one: ServiceProcess;
  let two: ServiceProcess;
  let upstream: EchoUpstream;
  let bot: MachineUser;
  let armed: Armed | undefined;
  const armedSessions = new Set<string>();
  const underWay = new EventEmitter();
  const streams: EventReader[] = [];

  function addTools(mcp: McpServer): void {
    const { server } = mcp;
    server.registerCapabilities({ logging: {} });
    const textResult = (text: string) => ({ content: [{ type: "text" as const, text }] });
    const ask = (signal?: AbortSignal) =>
      server.elicitInput(QUESTION, signal ? { signal } : {}).then(({ action }) => action);
    mcp.registerTool("arm", {}, () => {
      const sessionId = server.transport?.sessionId ?? assert.fail();
      armedSessions.add(sessionId);
      armed = { sessionId, ask, log: (data) => server.sendLoggingMessage({ level: "error", data }) };
      return textResult("armed");
    });
    mcp.registerTool("ask_aside", {}, async () => textResult(await ask()));
    mcp.registerTool("hang", {}, ({ mcpReq }) => {
      underWay.emit("call");
      return new Promise((resolve) =>
        mcpReq.signal.addEventListener("abort", () => {
          underWay.emit("cancelled");
          resolve(textResult("over"));
        }),
      );
    });
    mcp.registerTool("step_aside", {}, async ({ mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken ?? assert.fail();
      const params = { progressToken, progress: 1 };
      await server.notification({ method: "notifications/progress", params });
      return new Promise((resolve) => mcpReq.signal.addEventListener("abort", () => resolve(textResult("over"))));
    });
  }

  before(async () => {
    replicas = await prepareReplicas({ LOG_LEVEL: "warn" });
    one = await replicas.start("one");
    two = await replicas.start("two");
    upstream = await startEchoUpstream({ eras: "legacy", sessionful: true, extend: addTools });
    await createSyncedServer(one, "Asker", upstream.url);
    bot = await createMachineUser(one, "bot");
    await createGroup(one, "bots", { slugs: ["asker"], emails: [bot.email] });
    while (!(await two.mcp(bot.credential, rpc("tools/list"))).body.result?.tools.length) await setTimeout(20);
  });
  after(async () => {
    await upstream?.close();
    await replicas?.destroy();
  });
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.close();
  });

  const headersOf = (session: string) => ({
    authorization: `Bearer ${bot.credential}`,
    "mcp-session-id": session,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  });
  async function begin(): Promise<string> {
    const opened = await one.mcp(bot.credential, initializeRequest({ capabilities: CAPABILITIES }));
    return String(opened.headers["mcp-session-id"]);
  }
  async function read(at: ServiceProcess, session: string, message?: object): Promise<EventReader> {
    const request = message ? { method: "POST", body: JSON.stringify(message) } : { method: "GET" };
    const stream = await readEvents(`${at.url}/mcp`, { ...request, headers: headersOf(session) });
    streams.push(stream);
    return stream;
  }
  const call = (at: ServiceProcess, session: string, tool: string, meta: object = {}) =>
    read(at, session, rpc("tools/call", { name: `asker__${tool}`, arguments: {}, _meta: meta }));
  /** Calls at the first process, which gets the stream, and then at the second, which finds it taken. */
  async function arm(session: string, at = [one, two]): Promise<Armed> {
    for (const each of at) await (await call(each, session, "arm")).ended;
    return armed ?? assert.fail();
  }
  /** Calls at the first process, until it has the stream of the session. */
  async function armWithStreamAtFirst(session: string): Promise<Armed> {
    const armed = await arm(session, [one]);
    await until("the stream of the first process", () => upstream.streams(armed.sessionId) === 1);
    return armed;
  }
  async function answer(at: ServiceProcess, session: string, stream: EventReader): Promise<void> {
    await stream.until(/elicitation\/create/);
    const { id } = stream.messages.findLast(({ method }) => method === "elicitation/create");
    const reply = { jsonrpc: "2.0", id, result: ANSWER };
    assert.equal((await at.mcp(bot.credential, reply, headersOf(session))).status, 202);
  }

  it("reach the caller wherever it listens and responds, in one session with one stream", async () => {
    for (const listening of [one, two]) {
      for (const answering of [one, two]) {
        armedSessions.clear();
        const session = await begin();
        const stream = await read(listening, session);
        const { sessionId, ask } = await arm(session);
        const said = ask();
        await answer(answering, session, stream);
        assert.equal(await said, "accept");
        assert.deepEqual([[...armedSessions], upstream.streams(sessionId)], [[sessionId], 1]);
        stream.close();
      }
    }
  });

  it("cancel a question where it was sent", async () => {
    const session = await begin();
    const stream = await read(two, session);
    const { ask } = await arm(session);
    const late = new AbortController();
    const refused = assert.rejects(ask(late.signal));
    await stream.until(/elicitation\/create/);
    late.abort("too late");
    await refused;
    await stream.until(/notifications\/cancelled/);
    const [question, cancelled] = stream.messages;
    assert.deepEqual(cancelled.params, { requestId: question.id, reason: "too late" });
  });

  it("log where the caller listens, in order", async () => {
    for (const listening of [one, two]) {
      const session = await begin();
      const stream = await read(listening, session);
      const { log } = await arm(session);
      for (const line of ["first", "second", "third"]) await log(line);
      await stream.until(/third/);
      assert.deepEqual(
        stream.messages.map(({ params }) => params.data),
        ["first", "second", "third"],
      );
    }
  });

  it("are sent on the call that waits for the response if the caller listens nowhere", async () => {
    const session = await begin();
    await arm(session);
    const calling = await call(two, session, "ask_aside");
    await answer(one, session, calling);
    await calling.ended;
    assert.match(calling.text, /accept/);
  });

  it("report progress of the call that they name, whichever process received them", async () => {
    const session = await begin();
    await arm(session);
    for (const at of [one, two]) {
      const calling = await call(at, session, "step_aside", { progressToken: `t-${at.pid}` });
      await calling.until(/notifications\/progress/);
      assert.equal(calling.messages[0].params.progressToken, `t-${at.pid}`);
    }
  });

  it("end with a call that its caller cancels at the other process", async () => {
    const session = await begin();
    for (const [calling, cancelling] of [
      [one, two],
      [two, one],
    ] as const) {
      const arrived = once(underWay, "call");
      const ended = once(underWay, "cancelled");
      const answered = call(calling, session, "hang").then(({ ended }) => ended);
      await arrived;
      const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
      assert.equal((await cancelling.mcp(bot.credential, cancel, headersOf(session))).status, 202);
      await ended;
      await answered;
    }
  });

  /** A process cannot read which upstream sessions there are. */
  async function withoutUpstreamSessions(work: () => Promise<void>): Promise<void> {
    const database = new pg.Client({ connectionString: replicas.databaseUrl });
    await database.connect();
    try {
      await database.query("alter table upstream_sessions rename to lost_sessions");
      await work().finally(() => database.query("alter table lost_sessions rename to upstream_sessions"));
    } finally {
      await database.end();
    }
  }

  it("are requested again after the database failed when a caller connected", async () => {
    const session = await begin();
    const { sessionId } = await armWithStreamAtFirst(session);
    await withoutUpstreamSessions(async () => {
      await read(two, session);
      await until("the error", () => two.unexpectedOutput().includes("an upstream session could not be shared"));
    });
    assert.equal(upstream.streamsRefused(sessionId), 0);
    await until("another request for the stream", () => upstream.streamsRefused(sessionId) > 0);
  });

  it("reach the other process when the one with the stream is killed", async () => {
    const [called, uncalled, moving] = [await begin(), await begin(), await begin()];
    const lost = await read(one, moving);
    const asking = new Map([
      [called, await armWithStreamAtFirst(called)],
      [moving, await armWithStreamAtFirst(moving)],
    ]);
    const listening = new Map([
      [uncalled, await read(two, uncalled)],
      [called, await read(two, called)],
    ]);
    // Soon after a caller has connected, a process requests the streams of the caller's sessions that it finds, and would
    // get the one of a session that the first process is just opening. Then no stream would have to move.
    await until("the second process to have looked for sessions", () => {
      return upstream.streamsRefused(asking.get(called)?.sessionId ?? "") > 0;
    });
    asking.set(uncalled, await armWithStreamAtFirst(uncalled));
    await arm(called, [two]);
    for (const [session, stream] of listening) {
      const said = asking.get(session)?.ask();
      await answer(one, session, stream);
      assert.equal(await said, "accept");
    }
    const openedBefore = new Map([...asking.values()].map(({ sessionId: id }) => [id, upstream.streamsOpened(id)]));
    await one.kill();
    await lost.ended;
    listening.set(moving, await read(two, moving));
    for (const [session, { sessionId, ask }] of asking) {
      const stream = listening.get(session) ?? assert.fail();
      const before = stream.messages.length;
      // Messages without a receiver are lost, and the upstream notices when a new stream is opened. It may notice the
      // end of the old stream later than the gateway notices the end of the process.
      await until("a new stream", () => upstream.streamsOpened(sessionId) !== openedBefore.get(sessionId));
      const said = ask();
      await until("the question", () => stream.messages.length > before);
      await answer(two, session, stream);
      assert.equal(await said, "accept");
      await until("the end of the old stream", () => upstream.streams(sessionId) === 1);
    }
  });
});
