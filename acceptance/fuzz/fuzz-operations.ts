import assert from "node:assert/strict";
import fc from "fast-check";
import type { Api } from "../kit/api.ts";
import { CONTRACT_OPERATIONS } from "../kit/contract.ts";
import { startUpstream } from "../kit/upstream.ts";
import { FuzzFixtures } from "./fixtures.ts";
import { type FuzzRequest, fuzzRequests } from "./requests.ts";

const MORE_TRIES = 500;

/** They respond with 401 to a token in their body or to a signature, and three of them need no API token. */
const JUDGE_TOKENS: ReadonlySet<string> = new Set([
  "exchangeAuth",
  "refreshExchange",
  "revokeExchange",
  "reportAgentSession",
]);

/** Sends random requests and checks each response: documented status and body, never 500, 401 without a token. */
export async function fuzzOperations(api: Api, options: { runs: number; seed: number }): Promise<void> {
  const upstream = await startUpstream();
  try {
    const fixtures = new FuzzFixtures(api, upstream.url);
    const requests = fuzzRequests(await api.document(), await fixtures.create());
    const served = new Set<string>();
    const serve = async (request: FuzzRequest) => {
      const status = await judge(api, request);
      if (status < 300) served.add(request.operation);
      const changed = status === 200 && (request.method === "DELETE" || request.method === "PATCH");
      if (changed) await fixtures.restore();
    };
    const judged = fc.asyncProperty(fc.oneof(...requests.values()), serve);
    await fc.assert(judged, { numRuns: options.runs, seed: options.seed });
    // Each operation must succeed at least once, otherwise the run proves little.
    for (const { id } of CONTRACT_OPERATIONS.filter((operation) => !served.has(operation.id))) {
      const more = requests.get(id) ?? assert.fail(`${id} is not in the document`);
      for (const request of fc.sample(more, { numRuns: MORE_TRIES, seed: options.seed })) {
        if (served.has(id)) break;
        await serve(request);
      }
      assert.ok(served.has(id), `${id} was never served`);
    }
  } finally {
    await upstream.close();
  }
}

async function judge(api: Api, { operation, method, path, withToken, headers, body }: FuzzRequest): Promise<number> {
  const answer = await api.send(path, {
    method,
    headers: { ...headers, ...(withToken ? { authorization: `Bearer ${api.target.token}` } : {}) },
    ...(body === undefined ? {} : { body }),
  });
  assert.ok(answer.status < 500, `${method} ${path} answered ${answer.status} ${answer.text}`);
  if (!JUDGE_TOKENS.has(operation)) {
    assert.equal(answer.status === 401, !withToken, `${method} ${path} answered ${answer.status}`);
  }
  return answer.status;
}
