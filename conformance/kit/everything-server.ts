/** The example server of the MCP repository: legacy only, with sessions. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Upstream } from "../upstream/server.ts";

const PROGRAM = fileURLToPath(new URL("../node_modules/.bin/mcp-server-everything", import.meta.url));

/** The command for stdio. */
export const EVERYTHING_OVER_STDIO = { command: process.execPath, args: [PROGRAM, "stdio"] };

export async function startEverythingServer(transport: "streamableHttp" | "sse"): Promise<Upstream> {
  const port = await freePort();
  const child = spawn(process.execPath, [PROGRAM, transport], {
    env: { PATH: process.env.PATH, PORT: String(port) },
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  process.once("exit", () => child.kill("SIGKILL"));
  const url = `http://127.0.0.1:${port}/${transport === "sse" ? "sse" : "mcp"}`;
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`server-everything ended with ${child.exitCode}`);
    await sleep(20);
  }
  return {
    url,
    async close() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    socket.on("error", () => resolve(false));
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}

/** The server needs a port and does not print it. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address ? address.port : 0;
}
