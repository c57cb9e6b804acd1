import { EventEmitter } from "node:events";
import { Socket } from "node:net";
import type pg from "pg";
import { ACCEPTS_NO_WRITES, PostgresAway } from "./postgres-availability.ts";

/** A write in a read-only session. */
const READ_ONLY = "25006";

export interface PoolSocketsNeeds {
  readonly suspicionMs: number;
  /** How long a query may wait for a response; 0 without a limit. */
  readonly response: { readonly ms: number };
  suspect(): void;
}

/** The sockets of a pool, which pg does not close when Postgres is silent or no longer accepts writes. */
export class PoolSockets {
  readonly #open = new Set<Socket>();
  readonly #used = new Set<Socket>();

  constructor(pool: pg.Pool, needs: PoolSocketsNeeds) {
    pool.on("connect", (client) => this.#add(client, needs));
    pool.on("acquire", (client) => {
      const socket = socketOf(client);
      this.#used.add(socket);
      socket.setTimeout(Math.min(needs.suspicionMs, needs.response.ms));
    });
    pool.on("release", (_error, client) => {
      const socket = socketOf(client);
      this.#used.delete(socket);
      socket.setTimeout(0);
    });
  }

  /** Ends the connections with queries, so that none waits for its timeout. */
  breakUsed(): void {
    for (const socket of this.#used) socket.destroy(new PostgresAway());
  }

  /** After the pool has ended. A socket without a response would keep the process alive. */
  close(): void {
    for (const socket of this.#open) socket.destroySoon();
  }

  #add(client: pg.PoolClient, { response, suspect }: PoolSocketsNeeds): void {
    // The query that is affected fails separately.
    client.on("error", () => {});
    const socket = socketOf(client);
    this.#open.add(socket);
    socket.on("close", () => this.#open.delete(socket));
    // OPS-3: a Postgres that accepts connections and never responds must not block queries or hold pool connections.
    onSilence(socket, () => {
      const waitedMs = socket.timeout ?? 0;
      if (!this.#used.has(socket)) return;
      if (waitedMs >= response.ms) return void socket.destroy(new PostgresAway());
      socket.setTimeout(response.ms);
      suspect();
    });
    connectionOf(client).on("errorMessage", ({ code }: { code?: string }) => {
      if (code === READ_ONLY) this.#breakReadOnly();
    });
  }

  /** After a failover, connections to the old primary can remain. What they read is out of date. */
  #breakReadOnly(): void {
    for (const socket of this.#open) socket.destroy(new PostgresAway(ACCEPTS_NO_WRITES));
  }
}

/** After a pause of this process, timers fire before the response that arrived meanwhile is read. That is no silence. */
function onSilence(socket: Socket, act: () => void): void {
  socket.on("timeout", () => {
    const { bytesRead } = socket;
    setImmediate(() => {
      if (socket.bytesRead === bytesRead) act();
    });
  });
}

/** pg types the connection only as a stream, and hides it from clients of a pool. */
export function socketOf(client: object): Socket {
  const stream: unknown = Reflect.get(connectionOf(client), "stream");
  if (stream instanceof Socket) return stream;
  throw new Error("a client of pg has no socket");
}

function connectionOf(client: object): EventEmitter {
  const connection: unknown = Reflect.get(client, "connection");
  if (connection instanceof EventEmitter) return connection;
  throw new Error("a client of pg has no connection");
}
