/** The service as an operator runs it: a separate process, which can be killed. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request as httpRequest } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { GATEHOUSE } from "../gatehouse-command.ts";
import { readStartCommand } from "../start-command.ts";
import type { HttpAnswer, HttpCall, Service } from "../start-service.ts";

const START = readStartCommand();
/** Only a safeguard against hanging; startup time is not tested here. */
const START_TIMEOUT_MS = 120_000;

export interface AbortableCall extends HttpCall {
  readonly signal?: AbortSignal;
}

export interface ServiceProcess extends Service {
  readonly pid: number;
  /** From spawning to ready. */
  readonly startMs: number;
  http(path: string, call?: AbortableCall): Promise<HttpAnswer>;
  /** Output other than the startup message; empty while nothing goes wrong. */
  unexpectedOutput(): string;
  /** Sends SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Stops it like an operator; it must exit with 0. */
  close(): Promise<void>;
}

export interface StartingProcess {
  readonly ready: Promise<ServiceProcess>;
  kill(): Promise<void>;
}

export interface ProcessSettings {
  readonly token: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Changes the command, for example to run it with a memory limit. */
  readonly wrap?: (command: readonly string[]) => readonly string[];
  /** The status of `/readyz` to wait for; 200 by default. */
  readonly untilStatus?: number;
}

export function spawnService({ token, environment, wrap, untilStatus = 200 }: ProcessSettings): StartingProcess {
  const command = [process.execPath, ...START.flags, ...GATEHOUSE, "serve"];
  const [program = "", ...args] = wrap?.(command) ?? command;
  const child = spawn(program, args, {
    env: {
      ...START.environment,
      PATH: process.env.PATH,
      PORT: "0",
      LOG_LEVEL: "error",
      DRAIN_SECONDS: "0",
      GATEHOUSE_BOOTSTRAP_TOKEN: token,
      REGISTRY_SYNC: "off",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  endWithThisProcess(child);
  const ended = once(child, "close");
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  const ready = untilReady(child, token, kill, ended, untilStatus);
  // A test that kills a start does not wait for it to succeed.
  ready.catch(() => {});
  return { ready, kill };
}

async function untilReady(
  child: ChildProcess,
  token: string,
  kill: () => Promise<void>,
  ended: Promise<unknown>,
  untilStatus: number,
): Promise<ServiceProcess> {
  const startedAt = performance.now();
  const output = { text: "" };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output.text += text;
    });
  }
  const gone = ended.then(() => {
    throw new Error(`the service ended while starting: ${output.text}`);
  });
  const url = await Promise.race([readyAddress(child, output, untilStatus), gone]);
  const agent = new Agent({ keepAlive: true });
  const startMs = performance.now() - startedAt;
  return {
    ...clientOf(url, token, agent),
    pid: child.pid ?? 0,
    startMs,
    unexpectedOutput: () => output.text.replace(GREETING, ""),
    async kill() {
      await kill();
      agent.destroy();
    },
    async close() {
      agent.destroy();
      child.kill("SIGTERM");
      await ended;
      assert.equal(child.exitCode, 0, output.text);
    },
  };
}

const GREETING = /^Gatehouse is running at (\S+)\n {2}Gateway .*\n {2}API .*\n/m;

async function readyAddress(
  child: ChildProcess,
  output: { readonly text: string },
  untilStatus: number,
): Promise<string> {
  const until = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < until && child.exitCode === null && child.signalCode === null) {
    const url = GREETING.exec(output.text)?.[1];
    if (url !== undefined && (await readinessOf(url)) === untilStatus) return url;
    await sleep(10);
  }
  throw new Error(`the service did not become ready: ${output.text}`);
}

async function readinessOf(url: string): Promise<number | undefined> {
  const answer = await fetch(`${url}/readyz`).catch(() => undefined);
  await answer?.text();
  return answer?.status;
}

function clientOf(url: string, token: string, agent: Agent) {
  const http = (path: string, call: AbortableCall = {}) => send(agent, `${url}${path}`, call);
  const json = { "content-type": "application/json" };
  const api: Service["api"] = (method, path, body, headers = {}) =>
    http(path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : json), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const mcp: Service["mcp"] = (credential, message, headers = {}) =>
    http("/mcp", {
      method: "POST",
      headers: { authorization: `Bearer ${credential}`, ...json, ...headers },
      body: typeof message === "string" ? message : JSON.stringify(message),
    });
  return { url, token, http, api, mcp };
}

function send(agent: Agent, url: string, { method = "GET", headers = {}, body, signal }: AbortableCall) {
  return new Promise<HttpAnswer>((resolve, reject) => {
    const options = { method, headers, agent, ...(signal && { signal }) };
    const request = httpRequest(url, options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("error", reject);
      response.on("end", () => {
        const { statusCode: status = 0, headers } = response;
        const isJson = headers["content-type"]?.startsWith("application/json");
        resolve({ status, headers, text, bytes: Buffer.from(text), body: isJson ? JSON.parse(text) : undefined });
      });
    });
    request.on("error", reject);
    request.end(body);
  });
}

/** The service ends with this process, even after SIGKILL: the watcher's stdin closes when this process ends. */
function endWithThisProcess(child: ChildProcess): void {
  const watcher = spawn("sh", ["-c", 'read -r _; kill -9 "$0"', String(child.pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  child.once("exit", () => watcher.kill("SIGKILL"));
}
