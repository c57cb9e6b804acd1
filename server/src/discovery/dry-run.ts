import { type CompiledPolicy, compilePolicy, evaluate } from "#policy/evaluate";
import type { Action, Policy, PolicyContext } from "#policy/policy-types";
import type { BuiltInConnectors } from "#records/connectors";
import { devicesAfter, findItems, instancesOfDevices } from "#records/discovery";
import type { MainDb } from "#storage/database";
import type { DiscoveryDeviceRow, DiscoveryInstanceRow, DiscoveryItemRow } from "#storage/discovery-tables";
import { contextsOf, factsOf } from "./decide.ts";
import { readKnownFacts } from "./known-facts.ts";
import { type CurrentPolicy, type DeviceCondition, deviceConditionsOf } from "./policy-reader.ts";

const DEVICES_PER_SLICE = 200;
const RANK: Readonly<Record<Action, number>> = { allow: 1, warn: 2, block: 3 };

export interface DryRunChange {
  readonly kind: "mcp_server" | "skill";
  readonly key: string;
  readonly name: string;
  readonly from: Action;
  readonly to: Action;
  readonly devices_count: number;
}

export interface DryRunResult {
  readonly changes: readonly DryRunChange[];
  /** Items by their action after the change. */
  readonly totals: Record<Action, number>;
}

interface DryRunNeeds {
  readonly db: MainDb;
  readonly now: number;
  readonly connectors: BuiltInConnectors;
  readonly gatewayUrls: readonly string[];
  nextTurn(): Promise<void>;
}

interface Tally {
  readonly item: DiscoveryItemRow;
  from: Action;
  to: Action;
  readonly devices: Set<string>;
}

/** Evaluates a proposed policy over the whole inventory, in turns. Stores nothing. */
export async function dryRun(needs: DryRunNeeds, current: CurrentPolicy, proposed: Policy): Promise<DryRunResult> {
  const after = compilePolicy(proposed);
  const run = new DryRun(needs, current, after);
  let last = "";
  for (;;) {
    const devices = await devicesAfter(needs.db, last, DEVICES_PER_SLICE);
    if (devices.length === 0) return run.result();
    await run.add(devices);
    last = devices.at(-1)?.id ?? last;
    await needs.nextTurn();
  }
}

class DryRun {
  readonly #needs: DryRunNeeds;
  readonly #current: CurrentPolicy;
  readonly #after: CompiledPolicy;
  readonly #deviceConditions: readonly DeviceCondition[];
  readonly #tallies = new Map<string, Tally>();
  readonly #decided = new Map<string, readonly [Action, Action]>();

  constructor(needs: DryRunNeeds, current: CurrentPolicy, after: CompiledPolicy) {
    this.#needs = needs;
    this.#current = current;
    this.#after = after;
    const rules = [...current.compiled.policy.rules, ...after.policy.rules];
    this.#deviceConditions = deviceConditionsOf(rules);
  }

  async add(devices: readonly DiscoveryDeviceRow[]): Promise<void> {
    const { db, now, connectors, gatewayUrls } = this.#needs;
    const rows = (
      await instancesOfDevices(
        db,
        devices.map(({ id }) => id),
      )
    ).filter(({ kind, removed_at }) => removed_at === null && (kind === "mcp_server" || kind === "skill"));
    const items = await findItems(db, [...new Set(rows.map(({ item_id }) => item_id))]);
    const known = await readKnownFacts(db, connectors.idsByEndpoint, [...items.values()]);
    const contexts = await contextsOf(db, devices, now, { deviceConditions: this.#deviceConditions });
    for (const row of rows) {
      const [item, context] = [items.get(row.item_id), contexts.get(row.device_id)];
      if (!item || !context) continue;
      this.#count(
        row,
        item,
        this.#decide(row, item, context, () => factsOf(row, item, known, gatewayUrls).facts),
      );
    }
  }

  #decide(
    row: DiscoveryInstanceRow,
    item: DiscoveryItemRow,
    context: PolicyContext,
    facts: () => ReturnType<typeof factsOf>["facts"],
  ): readonly [Action, Action] {
    const place = [item.id, row.name, row.client, row.scope, row.details.config_hash ?? ""];
    const key = JSON.stringify(this.#deviceConditions.length > 0 ? [...place, row.device_id] : place);
    const known = this.#decided.get(key);
    if (known) return known;
    const of = facts();
    if (!of) return ["allow", "allow"];
    const decided = [
      evaluate(this.#current.compiled, of, context).action,
      evaluate(this.#after, of, context).action,
    ] as const;
    this.#decided.set(key, decided);
    return decided;
  }

  #count(row: DiscoveryInstanceRow, item: DiscoveryItemRow, [from, to]: readonly [Action, Action]): void {
    const tally = this.#tallies.get(item.id) ?? { item, from: "allow", to: "allow", devices: new Set<string>() };
    this.#tallies.set(item.id, tally);
    if (RANK[from] > RANK[tally.from]) tally.from = from;
    if (RANK[to] > RANK[tally.to]) tally.to = to;
    if (from !== to) tally.devices.add(row.device_id);
  }

  result(): DryRunResult {
    const totals = { allow: 0, warn: 0, block: 0 };
    const changes: DryRunChange[] = [];
    for (const { item, from, to, devices } of this.#tallies.values()) {
      totals[to]++;
      if (devices.size === 0 || (item.kind !== "mcp_server" && item.kind !== "skill")) continue;
      changes.push({ kind: item.kind, key: item.key, name: item.name, from, to, devices_count: devices.size });
    }
    changes.sort((a, b) => RANK[b.to] - RANK[a.to] || b.devices_count - a.devices_count || (a.name < b.name ? -1 : 1));
    return { changes, totals };
  }
}
