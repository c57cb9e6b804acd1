import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AUDIENCE, startTokenIssuer } from "#test/token-issuer";
import { load, median } from "../load.ts";
import { startGatehouse, startUpstream } from "../processes.ts";
import type { Report } from "../report.ts";
import { seed } from "../seed.ts";
import { callTarget } from "./calls.ts";

const SIZE = { servers: 1, toolsPerServer: 20, toolBytes: 750, users: 1, groups: 1, serversOfFirstUser: 1 };
const EXCHANGES = 400;
const CONNECTIONS = 8;
const CALLS = 3_000;
const ROUNDS = 31;

/** Exchanges of tokens of a real issuer, and calls with what they give, compared with calls with an access key. */
export async function measureIdentity(report: Report): Promise<void> {
  const issuer = await startTokenIssuer();
  const upstream = await startUpstream(200);
  const dataDir = mkdtempSync(join(tmpdir(), "gatehouse-bench-"));
  const { credential, token } = await seed(dataDir, `http://127.0.0.1:${upstream.port}/mcp`, SIZE);
  const gatehouse = await startGatehouse(dataDir);
  const headers = { authorization: `Bearer ${token}` };
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`http://127.0.0.1:${gatehouse.port}${path}`, {
      method,
      headers: { ...headers, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    // The callers know what they ask for.
    return ((await answer.json()) as { data: never }).data;
  };
  try {
    const users: readonly { readonly email: string; readonly is_machine_user: boolean }[] = await ask(
      "GET",
      "/api/users",
    );
    const machine = users.find((user) => user.is_machine_user);
    await ask("POST", "/api/auth-exchange/providers", {
      ...{ name: "Issuer", issuer: issuer.issuer, audiences: [AUDIENCE] },
      subject: { mode: "fixed", machine_user: machine?.email },
    });
    const jwt = await issuer.sign({ sub: "workload" }, { lifetimeS: 3_600 });
    const exchange = {
      port: gatehouse.port,
      path: "/api/auth-exchange",
      headers,
      body: JSON.stringify({ token: jwt }),
    };
    await load(exchange, CONNECTIONS, EXCHANGES);
    const { perSecond, p50Ms } = await load(exchange, CONNECTIONS, EXCHANGES);
    report.add({
      what: `auth exchange, ${CONNECTIONS} connections: per second, p50`,
      seen: `${perSecond.toFixed(0)}, ${p50Ms.toFixed(1)} ms`,
    });
    // After the load, because a subject has a limited number of live credentials and the oldest end first.
    const exchanged: { readonly access_token: string } = await ask("POST", "/api/auth-exchange", { token: jwt });
    const sides = [credential, exchanged.access_token].map((held) =>
      callTarget(gatehouse.port, "server-0__echo", held),
    );
    for (const side of sides) await load(side, CONNECTIONS, CALLS);
    const seen: number[][] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      // Each side is first in half of the rounds.
      const turn = [...sides.entries()];
      for (const [at, side] of round % 2 === 0 ? turn : turn.toReversed())
        seen[at]?.push((await load(side, CONNECTIONS, CALLS)).perSecond);
    }
    const [byKey = Number.NaN, byToken = Number.NaN] = seen.map(median);
    report.add({
      what: "tools/call with an access key / with an exchanged token, per second",
      seen: `${byKey.toFixed(0)} / ${byToken.toFixed(0)}: ${(byToken / byKey).toFixed(2)}`,
      budget: "≥ 0.95",
      met: byToken / byKey >= 0.95,
    });
    report.add({
      what: `requests to the issuer for ${2 * EXCHANGES + 1} exchanges and ${(ROUNDS + 1) * CALLS} calls`,
      seen: `${issuer.requests.length}`,
      budget: "2: discovery and keys",
      met: issuer.requests.length === 2,
    });
  } finally {
    await gatehouse.stop();
    await upstream.stop();
    await issuer.close();
    rmSync(dataDir, { recursive: true });
  }
}
