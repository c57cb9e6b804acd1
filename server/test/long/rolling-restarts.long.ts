/**
 * OPS-1: two replicas behind haproxy are restarted one after the other, ten times, while fifty connections make calls
 * of five seconds and twenty streams are open. No call may fail, and a client whose stream ends can open another
 * immediately.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { Agent, request as httpRequest } from "node:http";
import { join } from "node:path";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createGroup, createMachineUser, createSyncedServer } from "../factories.ts";
import { MCP_2025_11_25 } from "../gateway-kit.ts";
import { callText, listText, requestText } from "../mcp-messages.ts";
import { startRawUpstream } from "../upstreams/raw.ts";
import { prepareReplicas } from "./replicas.ts";
import type { ServiceProcess } from "./service-process.ts";

const RESTARTS = 10;
const CONNECTIONS = 50;
const STREAMS = 20;
const CALL_MS = 5_000;
const CALL = callText({ era: "legacy", id: "7", tool: "echo__echo", arguments: '{"n":1}' });
const VERSION = [`"protocolVersion":"${MCP_2025_11_25}"`, '"capabilities":{}'];

const configOf = (socket: string, replicas: readonly ServiceProcess[]) => `
defaults
  mode http
  timeout connect 2s
  timeout client 120s
  timeout server 120s
  option redispatch
frontend in
  bind unix@${socket}
  default_backend replicas
backend replicas
  option httpchk
  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host localhost
  http-check expect status 200
  default-server inter 500ms fall 1 rise 1
${replicas.map(({ url }, at) => `  server replica${at} ${new URL(url).host} check\n`).join("")}`;

interface Ask {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

it(`fails no call during ${RESTARTS} rolling restarts behind haproxy`, async (t) => {
  const replicas = await prepareReplicas({ DRAIN_SECONDS: "3" });
  const upstream = await startRawUpstream({
    record: false,
    gate: ({ method }) => (method === "tools/call" ? sleep(CALL_MS) : undefined),
  });
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS + STREAMS });
  t.after(async () => {
    agent.destroy();
    await upstream.close();
    await replicas.destroy();
  });
  const serving = [await replicas.start("one"), await replicas.start("two")];
  const [first] = serving;
  assert.ok(first);
  const socket = join(replicas.folder, "haproxy.sock");
  const config = join(replicas.folder, "haproxy.cfg");
  await writeFile(config, configOf(socket, serving));
  const haproxy = spawn("haproxy", ["-q", "-db", "-f", config], { stdio: ["ignore", "inherit", "inherit"] });
  t.after(() => haproxy.kill("SIGKILL"));
  await once(haproxy, "spawn");
  await createSyncedServer(first, "Echo", upstream.url);
  const bot = await createMachineUser(first, "bot");
  await createGroup(first, "bots", { slugs: ["echo"], emails: [bot.email] });
  for (const replica of serving) {
    while (!(await replica.mcp(bot.credential, listText("legacy"))).text.includes("echo__echo")) await sleep(100);
  }

  const ask = ({ method, headers, body }: Ask) =>
    new Promise<{ status: number; text: string; session: string }>((resolve, reject) => {
      const authorization = `Bearer ${bot.credential}`;
      const all = { host: "localhost", authorization, "content-type": "application/json", ...headers };
      const request = httpRequest({ socketPath: socket, path: "/mcp", method, headers: all, agent }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("error", reject);
        const session = String(response.headers["mcp-session-id"]);
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text, session }));
      });
      request.on("error", reject);
      request.end(body);
    });
  const counts = { calls: 0, streams: 0 };
  const failures: string[] = [];
  let going = true;
  const callOn = async () => {
    while (going) {
      const answer = await ask({ method: "POST", headers: {}, body: CALL }).catch((error: Error) => error);
      counts.calls++;
      const failed = answer instanceof Error || answer.status !== 200 || !answer.text.includes('{"n":1}');
      if (failed) failures.push(answer instanceof Error ? String(answer) : `${answer.status} ${answer.text}`);
    }
  };
  const listenOn = async (session: string) => {
    while (going) {
      const headers = { accept: "text/event-stream", "mcp-session-id": session };
      const stream = await ask({ method: "GET", headers }).catch((error: Error) => error);
      counts.streams++;
      if (stream instanceof Error || stream.status !== 200) failures.push(`a stream: ${JSON.stringify(stream)}`);
    }
  };
  const initialize = () => ask({ method: "POST", headers: {}, body: requestText("legacy", "initialize", VERSION) });
  while ((await initialize().catch(() => undefined))?.status !== 200) await sleep(100);
  const sessions = await Promise.all(Array.from({ length: STREAMS }, async () => (await initialize()).session));
  const callers = Array.from({ length: CONNECTIONS }, callOn);
  for (const session of sessions) void listenOn(session);

  for (let restart = 0; restart < RESTARTS; restart++) {
    const at = restart % 2;
    await serving[at]?.close();
    serving[at] = await replicas.start(at === 0 ? "one" : "two");
    // haproxy must have detected that it is back before the other one stops.
    await sleep(2_000);
  }
  going = false;
  await Promise.all(callers);
  t.diagnostic(`${RESTARTS} restarts: ${counts.calls} calls, ${counts.streams} streams closed and reopened`);
  assert.deepEqual(failures, []);
});
