/** An admin who creates records continuously, and repeats a request with the same Idempotency-Key after a kill. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { HttpAnswer, Service } from "../start-service.ts";
import type { KillableService } from "./killable-service.ts";

const PAUSE_MS = 5;
const RETRY_MS = 200;

interface Kind {
  readonly path: string;
  readonly operation: string;
  readonly table: "groups" | "mcp_servers" | "users";
  readonly offset: string;
  body(name: string, upstreamUrl: string): object;
}

export const KINDS: readonly Kind[] = [
  {
    path: "/api/groups",
    operation: "createGroup",
    table: "groups",
    offset: "skip",
    body: (name) => ({ name }),
  },
  {
    path: "/api/mcp-servers",
    operation: "createMcpServer",
    table: "mcp_servers",
    offset: "cursor",
    body: (name, url) => ({ name, mcp_proxy: JSON.stringify({ type: "http", url }) }),
  },
  {
    path: "/api/users",
    operation: "createUser",
    table: "users",
    offset: "skip",
    body: (name) => ({ name, is_machine_user: true }),
  },
];

export class AdminWriter {
  /** The names of acknowledged records, by path. */
  readonly acknowledged = new Map<string, Set<string>>(KINDS.map(({ path }) => [path, new Set()]));
  readonly credentials: string[] = [];
  begun = 0;
  /** Duration of the latest write. */
  latestMs = 0;
  /** Writes that were repeated because a kill left them without a response. */
  repeated = 0;
  readonly failures: string[] = [];
  /** Called for each write that failed with 5xx. */
  onRefusal = () => {};

  /** With `mayFail`, a write that fails with 5xx is repeated, like by an admin who reads Retry-After. */
  async writeRepeatedly(
    service: KillableService,
    upstreamUrl: string,
    isOver: () => boolean,
    { mayFail = false, pauseMs = PAUSE_MS } = {},
  ): Promise<void> {
    for (let number = 1; !isOver(); number++) {
      for (const kind of KINDS) {
        const name = `written ${number}`;
        const answer = await this.#untilAnswered(service, kind.path, kind.body(name, upstreamUrl), mayFail);
        if (answer?.status !== 201) {
          this.failures.push(`${kind.path} ${name}: ${answer?.status} ${answer?.text}`);
          continue;
        }
        this.acknowledged.get(kind.path)?.add(name);
        // D34: a repeated creation does not show the secret again.
        const { credentials } = answer.body;
        if (credentials) this.credentials.push(`${credentials.client_id}:${credentials.secret}`);
        await sleep(pauseMs);
      }
    }
  }

  async #untilAnswered(
    service: KillableService,
    path: string,
    body: object,
    mayFail: boolean,
  ): Promise<HttpAnswer | undefined> {
    const headers = { "idempotency-key": crypto.randomUUID() };
    this.begun++;
    for (;;) {
      const life = await service.current();
      const startedAt = performance.now();
      try {
        const answer = await life.api("POST", path, body, headers);
        this.latestMs = performance.now() - startedAt;
        if (!mayFail || answer.status < 500) return answer;
        this.onRefusal();
        await sleep(RETRY_MS);
      } catch (error) {
        if (service.isServing(life) && !mayFail) {
          this.failures.push(`${path}: ${error}`);
          return undefined;
        }
        this.repeated++;
      }
    }
  }

  /** Checks that every acknowledged record exists once, with all its parts, and nothing else exists. */
  async check(service: Service): Promise<void> {
    assert.deepEqual(this.failures.slice(0, 10), []);
    for (const { path, offset } of KINDS) {
      const names = (await listAll(service, path, offset)).filter((name) => name.startsWith("written "));
      assert.deepEqual(names.sort(), [...(this.acknowledged.get(path) ?? [])].sort(), path);
    }
    for (const credential of this.credentials) {
      const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
      assert.equal((await service.mcp(credential, ping)).status, 200, "an acknowledged machine user has access");
    }
  }
}

async function listAll(service: Service, path: string, offset: string): Promise<string[]> {
  const names: string[] = [];
  for (;;) {
    const { status, body, text } = await service.api("GET", `${path}?limit=200&${offset}=${names.length}`);
    assert.equal(status, 200, text);
    names.push(...body.data.map(({ name }: { name: string }) => name));
    if (!body.pagination.hasMore) return names;
  }
}
