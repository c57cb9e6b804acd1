import type { Clock } from "#lib/clock";
import type { NewId } from "#lib/ids";
import type { Logger } from "#lib/logger";
import type { BuiltInConnectors } from "#records/connectors";
import type { Databases, MainDb } from "#storage/database";
import type { DiscoveryItemRow } from "#storage/discovery-tables";
import type { DecisionNeeds } from "./decide.ts";
import { InventoryEvaluation } from "./evaluate-inventory.ts";
import { discoveredEndpoint, type KnownFacts, readKnownFacts } from "./known-facts.ts";
import { type CurrentPolicy, PolicyReader } from "./policy-reader.ts";
import type { CheckedReport } from "./report.ts";

export interface DiscoveryContext {
  readonly databases: Databases;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly logger: Logger;
  readonly connectors: BuiltInConnectors;
  readonly gatewayUrl: string;
  nextTurn(): Promise<void>;
}

/** Small inventories are evaluated before the response to a changed policy. */
const SETTLE_MS = 1_500;

/** What operations need of AI discovery besides its records. */
export class Discovery {
  /** Servers at these URLs are managed. */
  readonly gatewayUrls: readonly string[];
  readonly #context: DiscoveryContext;
  readonly #evaluation: InventoryEvaluation;
  readonly #policies = new PolicyReader();

  constructor(context: DiscoveryContext) {
    this.#context = context;
    this.gatewayUrls = [`${context.gatewayUrl.replace(/\/+$/, "")}/mcp`];
    this.#evaluation = new InventoryEvaluation({ ...context, gatewayUrls: this.gatewayUrls });
  }

  policy(db: MainDb): Promise<CurrentPolicy> {
    return this.#policies.read(db);
  }

  /** What is known about these items here. */
  known(db: MainDb, items: readonly Pick<DiscoveryItemRow, "kind" | "key" | "endpoint_key">[]): Promise<KnownFacts> {
    return readKnownFacts(db, this.#context.connectors, {
      endpoints: items.map(({ endpoint_key: key }) => key),
      digests: items.filter(({ kind }) => kind === "skill").map(({ key }) => key),
    });
  }

  async needsOf(db: MainDb, report: CheckedReport): Promise<DecisionNeeds> {
    const items = report.items.map(({ kind, key, url }) => ({ kind, key, endpoint_key: discoveredEndpoint(url) }));
    return { policy: await this.policy(db), known: await this.known(db, items), gatewayUrls: this.gatewayUrls };
  }

  /** Evaluates everything that a change of the policy concerns; continues in the background if it takes long. */
  async settle(): Promise<void> {
    const done = this.evaluate().catch((error: unknown) => {
      this.#context.logger.warn({ err: error }, "the policy of AI discovery could not be evaluated; a job repeats it");
    });
    let cancel = () => {};
    const timeout = new Promise<void>((resolve) => {
      const timer = this.#context.clock.after(SETTLE_MS, resolve);
      cancel = () => timer.cancel();
    });
    await Promise.race([done, timeout]);
    cancel();
  }

  /** Resolves when the whole inventory is evaluated. */
  evaluate(): Promise<void> {
    return this.#evaluation.run();
  }

  stop(): Promise<void> {
    return this.#evaluation.stop();
  }
}
