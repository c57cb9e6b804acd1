import type { Clock } from "#lib/clock";
import type { NewId } from "#lib/ids";
import type { Logger } from "#lib/logger";
import type { BuiltInConnectors } from "#records/connectors";
import { hasReportedContent } from "#records/discovery";
import type { Databases, MainDb } from "#storage/database";
import { type Actor, type WriteAuthor, writeTransaction } from "#storage/transaction";
import { CheckThread } from "./check/check-thread.ts";
import { checkReport, type GivenReport } from "./check-report.ts";
import { InventoryEvaluation } from "./evaluate-inventory.ts";
import { ingestReports } from "./ingest.ts";
import { type KnownFacts, readKnownFacts } from "./known-facts.ts";
import type { DiscoveryNeeds, KnownItem } from "./needs.ts";
import { type CurrentPolicy, PolicyReader } from "./policy-reader.ts";
import type { CheckedReport } from "./report.ts";
import { contentOf } from "./report-content.ts";
import { ReportQueue } from "./report-queue.ts";
import type { IngestResult, SentReport } from "./sent-report.ts";

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

/** About ten items. */
const MIN_THREAD_LENGTH = 2_500;

/** Of reports and evaluations. Nothing of them is audited. */
const AUTHOR: WriteAuthor = {
  actor: { kind: "system", id: "discovery", name: "AI discovery" },
  requestId: "discovery",
};

/** What operations need of AI discovery besides its records. */
export class Discovery {
  /** Servers at these URLs are managed. */
  readonly gatewayUrls: readonly string[];
  readonly #context: DiscoveryContext;
  readonly #evaluation: InventoryEvaluation;
  readonly #policies = new PolicyReader();
  readonly #checks: CheckThread;
  readonly #reports = new ReportQueue((reports) => this.#store(reports));

  constructor(context: DiscoveryContext) {
    this.#context = context;
    this.gatewayUrls = [`${context.gatewayUrl.replace(/\/+$/, "")}/mcp`];
    this.#checks = new CheckThread(context.clock);
    this.#evaluation = new InventoryEvaluation(context, () => this.#needs());
  }

  policy(db: MainDb): Promise<CurrentPolicy> {
    return this.#policies.read(db);
  }

  /** What is known about these items here. */
  known(db: MainDb, items: readonly KnownItem[]): Promise<KnownFacts> {
    return readKnownFacts(db, this.#context.connectors, {
      endpoints: items.map(({ endpoint_key: key }) => key),
      digests: items.filter(({ kind }) => kind === "skill").map(({ key }) => key),
    });
  }

  /** Stores a report, together with others that arrive concurrently. */
  async ingest(given: GivenReport, actor: Actor): Promise<IngestResult> {
    const content = contentOf(given, this.gatewayUrls);
    const { databases } = this.#context;
    const isKnown = content && (await hasReportedContent(databases.main, given.device.id, content.digest));
    const checked = isKnown ? undefined : await this.#check({ given, content });
    return this.#reports.add({ given, content, checked, actor });
  }

  /** A few items take less time than a message to the thread, and content that is too deep cannot be sent. */
  #check({ given, content }: Pick<SentReport, "given" | "content">): Promise<CheckedReport> {
    if (content === undefined || content.text.length < MIN_THREAD_LENGTH) {
      return checkReport(given, this.#context.nextTurn);
    }
    return this.#checks.check(given, content.text);
  }

  async #store(reports: readonly SentReport[]): Promise<IngestResult[]> {
    const { databases, clock, newId } = this.#context;
    const { result } = await writeTransaction({ db: databases.main, clock, newId }, AUTHOR, (tx, trail) =>
      ingestReports(tx, trail, reports, this.#needs()),
    );
    return result;
  }

  #needs(): DiscoveryNeeds {
    const { clock, newId, nextTurn } = this.#context;
    return {
      ...{ now: clock.now(), newId, gatewayUrls: this.gatewayUrls, nextTurn },
      check: (sent) => this.#check(sent),
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
    await Promise.all([this.#evaluation.stop(), this.#checks.close()]);
    await this.#reports.settled();
  }
}
