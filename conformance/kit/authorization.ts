/** Runs the conformance suite as a client of an authorization server; it opens a browser and waits for the callback. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PersonsInstallation } from "./person.ts";
import { type Check, COMMAND } from "./suite.ts";

const MOST_TRIES = 5;

/** The suite needs a port to listen on; if it is taken meanwhile, another one is tried. */
export async function judgeAuthorization(home: PersonsInstallation): Promise<Check[]> {
  for (let left = MOST_TRIES; left > 0; left--) {
    const { said, checks } = await runAuthorization(home);
    if (!said.includes("EADDRINUSE")) return checks;
  }
  throw new Error("no port is free");
}

async function runAuthorization({ issuer, gatewayUrl, agree }: PersonsInstallation) {
  const directory = await mkdtemp(join(tmpdir(), "gatehouse-authorization-"));
  try {
    const port = await freePort();
    const clientId = await register(issuer, `http://127.0.0.1:${port}/callback`);
    const client = ["--client-id", clientId, "--resource", gatewayUrl, "--port", String(port)];
    const args = ["authorization", "--url", issuer, ...client, "-o", directory];
    let said = "";
    const child = spawn(process.execPath, [COMMAND, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      said += chunk;
    });
    let sent = false;
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      said += chunk;
      const asked = /(http:\S+\/oauth\/authorize\?\S+)\s/.exec(said)?.[1];
      if (asked === undefined || sent) return;
      sent = true;
      void agree(asked).then((back) => fetch(back));
    });
    await once(child, "exit");
    const folders = (await readdir(directory, { recursive: true })).filter((path) => path.endsWith("checks.json"));
    const checks = await Promise.all(folders.map((path) => readFile(join(directory, path), "utf8")));
    return { said, checks: checks.flatMap((each): Check[] => JSON.parse(each)) };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // listens on TCP
  server.close();
  await once(server, "close");
  return port;
}

async function register(issuer: string, redirectUri: string): Promise<string> {
  const body = JSON.stringify({
    client_name: "Conformance suite",
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: "none",
  });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${issuer}/oauth/register`, { method: "POST", headers, body });
  const { client_id } = (await answer.json()) as { client_id: string }; // RFC 7591
  return client_id;
}
