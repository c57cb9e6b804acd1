import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, it } from "node:test";
import { createAddressOf } from "#lib/caller-address";
import { systemClock } from "#lib/clock";
import { InFlightBytes } from "#lib/in-flight-bytes";
import { createLogger } from "#lib/logger";
import { HttpExchange } from "../../http-exchange.ts";
import type { PluginSource, ServedRepository } from "../../ports.ts";
import type { GatewayContext } from "../../request.ts";
import type { Principal } from "../../snapshot/authenticate.ts";
import { answerPluginRequest } from "./serve-plugins.ts";

const MB = 1024 * 1024;
const REFS = "/plugins/tools.git/info/refs?service=git-upload-pack";
const PACK = "/plugins/tools.git/git-upload-pack";

function repositoryOf(pack: readonly Buffer[]): ServedRepository {
  return {
    version: "1.0.0",
    advertisement: () => Buffer.from("refs"),
    upload: () => ({
      hasPack: true,
      parts: (async function* () {
        yield* pack;
      })(),
    }),
    refusal: (reason) => Buffer.from(`ERR ${reason}`),
  };
}

describe("requests for plugins", () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  interface Setup {
    readonly source?: Partial<PluginSource>;
    readonly pack?: readonly Buffer[];
    readonly toolkit?: string;
    readonly memoryBytes?: number;
  }
  const logged: string[] = [];
  const listen = async ({ source, pack = [], toolkit, memoryBytes = 512 * MB }: Setup) => {
    const context = {
      plugins: {
        marketplace: async () => Buffer.from("{}"),
        repository: async () => repositoryOf(pack),
        ...source,
      },
      clock: systemClock,
      logger: createLogger("silent"),
      holder: { current: () => ({ limits: { payloadCapture: "full" } }) },
      calls: {
        end: ({ tool }: { tool: string }, answer: () => void) => {
          logged.push(tool);
          answer();
        },
      },
    };
    const principal = { userId: "usr_1", email: "a@example.com", via: "machine_key", toolkit };
    const inFlight = new InFlightBytes(memoryBytes);
    const addressOf = createAddressOf([]);
    server = createServer((request, response) => {
      const exchange = new HttpExchange(request, response, "req_1", {
        inFlight,
        addressOf,
        closedConnections: { add() {} },
      });
      // These are all the parts that such requests use.
      answerPluginRequest(exchange, principal as unknown as Principal, context as unknown as GatewayContext);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo; // a TCP server
    return async (path: string, init: RequestInit = {}) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, init);
      return { status: answer.status, text: await answer.text() };
    };
  };
  const post = { method: "POST", body: "0000" };

  it("get nothing with a credential of one toolkit", async () => {
    const send = await listen({ toolkit: "triage" });
    for (const path of ["/plugins/marketplace.json", REFS])
      assert.deepEqual(await send(path), { status: 404, text: '{"error":"Plugin not found"}' });
    assert.equal((await send(PACK, post)).status, 404);
  });

  it("are refused while no memory is left, and release what they took", async () => {
    const send = await listen({ pack: [Buffer.alloc(600), Buffer.alloc(600)], memoryBytes: 1_000 });
    for (let n = 0; n < 5; n++) {
      const { status, text } = await send(PACK, post);
      assert.deepEqual([status, text], [503, '{"error":"The gateway is busy; try again"}']);
    }
    assert.equal((await send(REFS)).status, 200);
  });

  it("get an error that git shows if the history is too large for one response", async () => {
    const part = Buffer.alloc(MB);
    const send = await listen({ pack: Array.from({ length: 65 }, () => part) });
    const { status, text } = await send(PACK, post);
    assert.deepEqual([status, text], [200, "ERR the history is too large for one response; use --depth 1"]);
  });

  it("get 500 while the database is unavailable, and the cause stays in the log", async () => {
    const fails = async () => {
      throw new Error("secret cause");
    };
    const send = await listen({ source: { marketplace: fails, repository: fails } });
    const failed = { status: 500, text: '{"error":"The plugin could not be read; try again"}' };
    assert.deepEqual(await send("/plugins/marketplace.json"), failed);
    assert.deepEqual(await send(REFS), failed);
    assert.deepEqual(await send(PACK, post), failed);
  });

  it("are in the call log if they transfer files", async () => {
    logged.length = 0;
    const send = await listen({ pack: [Buffer.from("PACK")] });
    await send(REFS);
    assert.equal((await send(PACK, post)).text, "PACK");
    await send("/plugins/marketplace.json");
    assert.deepEqual(logged, ["tools@1.0.0", "marketplace.json"]);
  });
});
