import type { Clock } from "#lib/clock";
import type { NewId } from "#lib/ids";
import type { BuiltInConnectors } from "#records/connectors";
import {
  applyInstances,
  findItems,
  instancesOfDevices,
  lockDevicesToEvaluate,
  markEvaluated,
  readPolicy,
} from "#records/discovery";
import type { Databases, MainTransaction } from "#storage/database";
import { type WriteAuthor, type WriteTrail, writeTransaction } from "#storage/transaction";
import { contextsOf, judge } from "./decide.ts";
import { storeManaged, withUser } from "./ingest.ts";
import { readKnownFacts } from "./known-facts.ts";
import { PolicyReader } from "./policy-reader.ts";
import { emitViolations } from "./violation-event.ts";

const DEVICES_PER_SLICE = 50;
const AUTHOR: WriteAuthor = {
  actor: { kind: "system", id: "discovery", name: "AI discovery" },
  requestId: "discovery",
};

export interface InventoryNeeds {
  readonly databases: Databases;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly connectors: BuiltInConnectors;
  readonly gatewayUrls: readonly string[];
  /** Yields to the calls at the gateway. */
  nextTurn(): Promise<void>;
}

/**
 * Evaluates the policy for devices whose instances were evaluated before it changed, in slices. Every device remembers
 * its evaluation, so a run that was interrupted continues, and concurrent runs do not disturb each other.
 */
export class InventoryEvaluation {
  readonly #needs: InventoryNeeds;
  readonly #policies = new PolicyReader();
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = false;

  constructor(needs: InventoryNeeds) {
    this.#needs = needs;
  }

  /** Resolves when everything is evaluated for the policy that was current when it was called. */
  run(): Promise<void> {
    this.#again = true;
    this.#running ??= this.#runUntilDone().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running?.catch(() => {});
  }

  async #runUntilDone(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      while (!this.#stopped && (await this.#slice())) await this.#needs.nextTurn();
    }
  }

  /** Returns whether there may be more. */
  async #slice(): Promise<boolean> {
    const { databases, clock, newId } = this.#needs;
    const { result } = await writeTransaction({ db: databases.main, clock, newId }, AUTHOR, (tx, trail) =>
      this.#evaluateNext(tx, trail),
    );
    return result === DEVICES_PER_SLICE;
  }

  async #evaluateNext(tx: MainTransaction, trail: WriteTrail): Promise<number> {
    const { clock, newId, connectors, gatewayUrls } = this.#needs;
    const { evaluation } = await readPolicy(tx);
    const devices = await lockDevicesToEvaluate(tx, evaluation, DEVICES_PER_SLICE);
    if (devices.length === 0) return 0;
    const now = clock.now();
    const policy = await this.#policies.read(tx);
    const ids = devices.map(({ id }) => id);
    const before = await instancesOfDevices(tx, ids);
    const present = before.filter(({ removed_at }) => removed_at === null);
    const items = await findItems(tx, [...new Set(present.map(({ item_id }) => item_id))]);
    const known = await readKnownFacts(tx, connectors, {
      endpoints: [...items.values()].map(({ endpoint_key: key }) => key),
      digests: [...items.values()].filter(({ kind }) => kind === "skill").map(({ key }) => key),
    });
    const contexts = await contextsOf(tx, devices, now, policy);
    const byId = new Map(devices.map((device) => [device.id, device]));
    const judged = present.flatMap((row) => {
      const [item, device, context] = [items.get(row.item_id), byId.get(row.device_id), contexts.get(row.device_id)];
      if (!item || !device || !context) return [];
      const { decision, risk, managed } = judge(row, item, context, { policy, known, gatewayUrls });
      const after = {
        ...withUser(row, device),
        risk,
        action: decision?.action ?? null,
        rule_id: decision?.rule_id ?? null,
      };
      return [{ row: after, item, managed }];
    });
    const after = judged.map(({ row }) => row);
    const context = { now, newId, policyVersion: policy.row.version };
    const { opened } = await applyInstances(tx, { before, after, seen: new Set() }, context);
    await storeManaged(tx, judged);
    await markEvaluated(tx, ids, evaluation);
    emitViolations(trail, opened, { devices: byId, items, instances: after });
    return devices.length;
  }
}
