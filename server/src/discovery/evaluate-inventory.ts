import type { Clock } from "#lib/clock";
import type { NewId } from "#lib/ids";
import {
  applyInstances,
  findJudgedItems,
  instancesOfDevices,
  type JudgedItem,
  lockDevicesToEvaluate,
  markEvaluated,
} from "#records/discovery";
import type { Databases, MainTransaction } from "#storage/database";
import type { DiscoveryInstanceRow } from "#storage/discovery-tables";
import { type WriteAuthor, type WriteTrail, writeTransaction } from "#storage/transaction";
import { contextsOf, Judge } from "./decide.ts";
import { storeManaged } from "./ingest.ts";
import { withUser } from "./instances.ts";
import type { DiscoveryNeeds } from "./needs.ts";
import { emitViolations } from "./violation-event.ts";

const DEVICES_PER_SLICE = 50;
const INSTANCES_PER_TURN = 200;
const AUTHOR: WriteAuthor = {
  actor: { kind: "system", id: "discovery", name: "AI discovery" },
  requestId: "discovery",
};

interface EvaluationContext {
  readonly databases: Databases;
  readonly clock: Clock;
  readonly newId: NewId;
}

/**
 * Evaluates the policy for devices whose instances were evaluated before it changed, in slices. Every device remembers
 * its evaluation, so a run that was interrupted continues, and concurrent runs do not disturb each other.
 */
export class InventoryEvaluation {
  readonly #context: EvaluationContext;
  readonly #needs: () => DiscoveryNeeds;
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = false;

  constructor(context: EvaluationContext, needs: () => DiscoveryNeeds) {
    this.#context = context;
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
      for (let hasMore = true; hasMore && !this.#stopped; ) {
        const needs = this.#needs();
        hasMore = await this.#slice(needs);
        await needs.nextTurn();
      }
    }
  }

  /** Returns whether there may be more. */
  async #slice(needs: DiscoveryNeeds): Promise<boolean> {
    const { databases, clock, newId } = this.#context;
    const { result } = await writeTransaction({ db: databases.main, clock, newId }, AUTHOR, (tx, trail) =>
      evaluateNext(tx, trail, needs),
    );
    return result === DEVICES_PER_SLICE;
  }
}

async function evaluateNext(tx: MainTransaction, trail: WriteTrail, needs: DiscoveryNeeds): Promise<number> {
  const policy = await needs.readPolicy(tx);
  const { evaluation, version: policyVersion } = policy.row;
  const devices = await lockDevicesToEvaluate(tx, evaluation, DEVICES_PER_SLICE);
  if (devices.length === 0) return 0;
  const byId = new Map(devices.map((device) => [device.id, device]));
  const before = await instancesOfDevices(tx, [...byId.keys()]);
  const present = before.filter(({ removed_at }) => removed_at === null);
  const items = await findJudgedItems(tx, [...new Set(present.map(({ item_id }) => item_id))]);
  const known = await needs.readKnown(tx, [...items.values()]);
  const contexts = await contextsOf(tx, devices, needs.now, policy);
  const judge = new Judge({ policy, known, gatewayUrls: needs.gatewayUrls, facts: needs.facts });
  const judged: { row: DiscoveryInstanceRow; item: JudgedItem; managed: boolean }[] = [];
  for (const [index, row] of present.entries()) {
    if (index % INSTANCES_PER_TURN === INSTANCES_PER_TURN - 1) await needs.nextTurn();
    const [item, device, context] = [items.get(row.item_id), byId.get(row.device_id), contexts.get(row.device_id)];
    if (!item || !device || !context) throw new Error("an instance without an item");
    const { decision, risk, managed } = judge.judge(row, item, context);
    const [action, rule_id] = [decision?.action ?? null, decision?.rule_id ?? null];
    judged.push({ row: { ...withUser(row, device), risk, action, rule_id }, item, managed });
  }
  const after = judged.map(({ row }) => row);
  const context = { now: needs.now, newId: needs.newId, policyVersion };
  const { opened } = await applyInstances(tx, { before, after, seen: new Set() }, context);
  await storeManaged(tx, judged);
  await markEvaluated(tx, [...byId.keys()], evaluation);
  emitViolations(trail, opened, { devices: byId, items, instances: after });
  return devices.length;
}
