import type { Clock } from "#lib/clock";
import type { NewId } from "#lib/ids";
import type { Logger } from "#lib/logger";
import type { BuiltInConnectors } from "#records/connectors";
import type { Databases, MainDb } from "#storage/database";
import type { Actor } from "#storage/transaction";
import { createFactsCache } from "./decide.ts";
import { InventoryEvaluation } from "./evaluate-inventory.ts";
import { type KnownFacts, type KnownItem, readKnownFacts } from "./known-facts.ts";
import type { DiscoveryNeeds } from "./needs.ts";
import { type CurrentPolicy, PolicyReader } from "./policy-reader.ts";
import { StoreReports } from "./store-reports.ts";
import { ReportThread } from "./thread/report-thread.ts";

export interface DiscoveryContext {
  readonly databases: Databases;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly logger: Logger;
  readonly connectors: BuiltInConnectors;
  readonly gatewayUrl: string;
  /** The program of the thread that reads, checks and stores reports. */
  readonly reportWorker: URL;
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
  readonly #facts = createFactsCache();
  readonly #reports: StoreReports;

  constructor(context: DiscoveryContext) {
    this.#context = context;
    this.gatewayUrls = [`${context.gatewayUrl.replace(/\/+$/, "")}/mcp`];
    const { clock, reportWorker, connectors } = context;
    const known = { gatewayUrls: this.gatewayUrls, connectorIds: connectors.idsByEndpoint };
    this.#reports = new StoreReports(context, new ReportThread(clock, reportWorker, known));
    this.#evaluation = new InventoryEvaluation(context, () => this.#needs());
  }

  policy(db: MainDb): Promise<CurrentPolicy> {
    return this.#policies.read(db);
  }

  /** What is known about these items here. */
  known(db: MainDb, items: readonly KnownItem[]): Promise<KnownFacts> {
    return readKnownFacts(db, this.#context.connectors.idsByEndpoint, items);
  }

  /** Stores a report, together with others that arrive concurrently. Takes the memory of the bytes, and resolves to JSON. */
  ingest(bytes: Uint8Array, actor: Actor): Promise<Uint8Array> {
    return this.#reports.store(bytes, actor);
  }

  #needs(): DiscoveryNeeds {
    const { clock, newId, nextTurn } = this.#context;
    return {
      ...{ now: clock.now(), newId, gatewayUrls: this.gatewayUrls, nextTurn },
      facts: this.#facts,
      readPolicy: (db) => this.policy(db),
      readKnown: (db, items) => this.known(db, items),
    };
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

  async stop(): Promise<void> {
    await Promise.all([this.#evaluation.stop(), this.#reports.stop()]);
  }
}
