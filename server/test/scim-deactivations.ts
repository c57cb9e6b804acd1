import assert from "node:assert/strict";
import { systemClock } from "#lib/clock";
import type { TestDatabase } from "./databases.ts";
import { createGroup } from "./factories.ts";
import { makeGatewayToken } from "./gateway-tokens.ts";
import { callText } from "./mcp-messages.ts";
import { scimClient } from "./scim-client.ts";
import type { Service } from "./start-service.ts";

export interface DeactivationRun {
  readonly database: TestDatabase;
  /** Where the provider sends its requests. */
  readonly here: Service;
  /** The services whose gateways people call. */
  readonly gateways: readonly Service[];
  readonly token: string;
  readonly trials: number;
  /** Concurrent callers of each person at each gateway. */
  readonly callers: number;
}

export interface DeactivationCounts {
  /** Calls that started before the answer of the deactivation and passed. */
  readonly passedBefore: number;
  /** Calls that started at the provider's service after the answer and passed. */
  readonly passedAfter: number;
  /** For each trial, until every gateway rejected the person. */
  readonly elsewhereMs: readonly number[];
}

const CALL = callText({ era: "legacy", id: "1", tool: "echo__echo", arguments: "{}" });

/** People call tools without pause while the provider deactivates them, one after the other. */
export async function deactivateUnderLoad(run: DeactivationRun): Promise<DeactivationCounts> {
  const { here, gateways, trials } = run;
  const idp = scimClient(here, () => run.token);
  const group = await createGroup(here, "Provisioned", { slugs: ["echo"] });
  let passedBefore = 0;
  let passedAfter = 0;
  const elsewhereMs: number[] = [];
  for (let trial = 0; trial < trials; trial++) {
    const person = { userName: `person-${trial}@example.com`, active: true };
    const { id } = await idp.expect(201, "POST", "/Users", person);
    await idp.expect(204, "PATCH", `/Groups/${group}`, {
      Operations: [{ op: "add", path: "members", value: [{ value: id }] }],
    });
    const expiresAt = systemClock.now() + 3_600_000;
    const { token } = await makeGatewayToken(run.database, systemClock, { kind: "oauth", userId: id, expiresAt });
    for (const gateway of gateways) while (!isPassed(await gateway.mcp(token, CALL)));
    let answered = false;
    const call = async (gateway: Service): Promise<void> => {
      for (let rejections = 0; rejections < 3; ) {
        const isAfter = answered;
        const isAnswer = isPassed(await gateway.mcp(token, CALL));
        if (!isAnswer) rejections++;
        else if (isAfter && gateway === here) passedAfter++;
        else if (!isAfter) passedBefore++;
      }
    };
    const callers = gateways.flatMap((gateway) => Array.from({ length: run.callers }, () => call(gateway)));
    const off = await idp.patch(`/Users/${id}`, { op: "Replace", path: "active", value: "False" });
    answered = true;
    const since = performance.now();
    assert.equal(off.status, 200, off.text);
    await Promise.all(callers);
    elsewhereMs.push(performance.now() - since);
  }
  return { passedBefore, passedAfter, elsewhereMs };
}

function isPassed({
  status,
  body,
}: {
  readonly status: number;
  readonly body: { readonly result?: unknown };
}): boolean {
  return status === 200 && body?.result !== undefined;
}
