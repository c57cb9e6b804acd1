/**
 * A real MCP server over stdio, built with the official SDK, as a separate program. Arguments: `modern` uses only that
 * era, `stubborn` ignores requests to exit, `dead` exits immediately. Its process ID is appended to the file in
 * `STARTED`.
 */
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
import { createEchoServer } from "./echo.ts";
import { giveThings } from "./things.ts";

const tally = { executions: 0, aborts: 0 };
if (process.env.STARTED) appendFileSync(process.env.STARTED, `${process.pid}\n`);
if (process.argv.includes("dead")) process.exit(3);
if (process.argv.includes("stubborn")) {
  process.on("SIGTERM", () => {});
  setInterval(() => {}, 1000);
}
process.stderr.write("ready with Bearer s3cr3t-of-upstream\n");
process.stdout.write("hello, I am no JSON\n");

const era = process.argv.includes("modern") ? "modern" : "legacy";
const inputSchema = z.looseObject({});
serveStdio(
  () => {
    const server = createEchoServer({ delayMs: () => Number(process.env.DELAY_MS ?? 0) }, tally);
    giveThings(server, era);
    server.registerTool("whoami", { description: "Describes its process", inputSchema }, () => {
      const reported = { pid: process.pid, cwd: process.cwd(), environment: Object.keys(process.env).sort() };
      return { content: [], structuredContent: reported };
    });
    server.registerTool("breed", { description: "Starts another process", inputSchema }, () => {
      const child = spawn(process.execPath, ["-e", "process.on('SIGTERM',()=>{});setInterval(()=>{},1000)"]);
      return { content: [], structuredContent: { pid: child.pid ?? 0 } };
    });
    server.registerTool("long", { description: "Answers with a long text", inputSchema }, ({ bytes }) => {
      return { content: [{ type: "text", text: "x".repeat(Number(bytes)) }] };
    });
    server.registerTool("grow", { description: "Adds a tool and announces it", inputSchema }, ({ name }) => {
      server.registerTool(String(name), { description: "Added later" }, () => ({ content: [] }));
      return { content: [] };
    });
    server.registerTool("die", { description: "Ends the process", inputSchema }, () => process.exit(3));
    return server;
  },
  era === "modern" ? { legacy: "reject" } : {},
);
