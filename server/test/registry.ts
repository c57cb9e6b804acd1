import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { applyReading } from "#records/connectors";
import type { MainDb } from "#storage/database";
import type { RegistryEntryRow } from "#storage/server-tables";
import { readEntry } from "#sync/registry/read-entry";
import { type Loopback, listenOnLoopback } from "./upstreams/loopback.ts";

/** Four built-in connectors for tests. */
export const TEST_CONNECTORS = new URL("./connectors/", import.meta.url);

export interface ServerJson {
  readonly name: string;
  readonly [key: string]: unknown;
}

/** An entry as the registry returns it, by default with a remote endpoint under its own domain. */
export function registryServer(server: ServerJson, meta: object = {}) {
  const [namespace = "", name = ""] = server.name.split("/");
  const host = namespace.split(".").reverse().join(".");
  return {
    server: {
      description: `The server ${name}`,
      version: "1.0.0",
      remotes: [{ type: "streamable-http", url: `https://${host}/${name}` }],
      ...server,
    },
    _meta: {
      "io.modelcontextprotocol.registry/official": {
        status: "active",
        isLatest: true,
        publishedAt: "2026-01-01T00:00:00Z",
        updatedAt: "2026-01-01T00:00:00Z",
        ...meta,
      },
    },
  };
}

export function registryRow(server: ServerJson): RegistryEntryRow {
  const judged = readEntry(registryServer(server));
  assert.equal(judged.kind, "entry", JSON.stringify(judged));
  return judged.row;
}

/** The catalog as if exactly these entries had been read from a registry. */
export async function storeRegistry(db: MainDb, rows: readonly RegistryEntryRow[]): Promise<void> {
  const entries = new Map(rows.map((row) => [row.id, row]));
  const state = { registry_url: "http://registry.test", read_up_to: 1, read_whole_at: 1 };
  await applyReading(db, { entries, absentIds: new Set(), whole: true }, state);
}

export interface TestRegistry extends Loopback {
  servers: unknown[];
  /** Entries per page. */
  pageSize: number;
  /** Replaces a page with a custom response, such as that of a hostile registry. */
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  /** Query strings, oldest first. */
  readonly asked: URLSearchParams[];
}

/** Pages through its servers like the real registry, with a position as cursor. */
export async function startRegistry(servers: unknown[] = []): Promise<TestRegistry> {
  const asked: URLSearchParams[] = [];
  const loopback = await listenOnLoopback((request, response) => {
    const url = new URL(request.url ?? "", "http://registry.test");
    asked.push(url.searchParams);
    if (registry.answer) return registry.answer(request, response);
    const from = Number(url.searchParams.get("cursor") ?? 0);
    const until = from + registry.pageSize;
    const nextCursor = until < registry.servers.length ? { nextCursor: String(until) } : {};
    response.writeHead(url.pathname === "/v0.1/servers" ? 200 : 404, { "content-type": "application/json" });
    response.end(
      JSON.stringify({ servers: registry.servers.slice(from, until), metadata: { count: 0, ...nextCursor } }),
    );
  });
  const registry: TestRegistry = { ...loopback, servers, pageSize: 2, answer: undefined, asked };
  return registry;
}
