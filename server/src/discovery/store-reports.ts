import type { Clock } from "#lib/clock";
import type { NewId } from "#lib/ids";
import type { BuiltInConnectors } from "#records/connectors";
import { hasReportedContent } from "#records/discovery";
import type { Databases } from "#storage/database";
import { type Actor, type WriteAuthor, writeTransaction } from "#storage/transaction";
import { checkReport, type GivenReport } from "./check-report.ts";
import { ingestReports } from "./ingest.ts";
import type { DiscoveryNeeds } from "./needs.ts";
import type { CheckedReport } from "./report.ts";
import { contentOf, type ReportContent } from "./report-content.ts";
import { ReportQueue } from "./report-queue.ts";
import { headOf, type IngestResult, type SentReport } from "./sent-report.ts";
import type { ReportToStore } from "./thread/messages.ts";
import { ReportThread } from "./thread/report-thread.ts";

/** About ten items. A few items take less time than messages to a thread. */
const MIN_THREAD_LENGTH = 2_500;

/** Nothing of a report is audited. */
const AUTHOR: WriteAuthor = {
  actor: { kind: "system", id: "discovery", name: "AI discovery" },
  requestId: "discovery",
};

interface StoreContext {
  readonly databases: Databases;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly connectors: BuiltInConnectors;
  nextTurn(): Promise<void>;
}

interface QueuedReport extends Pick<SentReport, "head" | "digest" | "actor"> {
  readonly given: GivenReport;
  readonly content: ReportContent | undefined;
  /** The report, or the number under which the thread has it. Undefined: it seems to have the content of the last one. */
  readonly checked: CheckedReport | number | undefined;
}

/** Checks and stores reports: long ones in a thread, the others here. */
export class StoreReports {
  readonly #context: StoreContext;
  readonly #gatewayUrls: readonly string[];
  readonly #needs: () => DiscoveryNeeds;
  readonly #thread: ReportThread;
  readonly #queue = new ReportQueue<QueuedReport>((reports) => this.#store(reports));

  constructor(context: StoreContext, gatewayUrls: readonly string[], needs: () => DiscoveryNeeds) {
    this.#context = context;
    this.#gatewayUrls = gatewayUrls;
    this.#needs = needs;
    this.#thread = new ReportThread(context.clock, { gatewayUrls, connectorIds: context.connectors.idsByEndpoint });
  }

  /** Stores a report, together with others that arrive concurrently. */
  async store(given: GivenReport, actor: Actor): Promise<IngestResult> {
    const content = contentOf(given, this.#gatewayUrls);
    const isKnown =
      content && (await hasReportedContent(this.#context.databases.main, given.device.id, content.digest));
    const checked = isKnown ? undefined : await this.#check(given, content);
    const report = { head: headOf(given), digest: content?.digest, actor, given, content, checked };
    try {
      return await this.#queue.add(report);
    } finally {
      if (typeof checked === "number") this.#thread.forget(checked);
    }
  }

  async stop(): Promise<void> {
    await this.#queue.settled();
    await this.#thread.close();
  }

  /** Content that is too deep cannot be sent to the thread. */
  #check(given: GivenReport, content: ReportContent | undefined): Promise<CheckedReport | number> {
    return isLong(content)
      ? this.#thread.check({ identity: identityOf(given), text: content.text })
      : checkReport(given, this.#context.nextTurn);
  }

  async #store(reports: readonly QueuedReport[]): Promise<readonly IngestResult[]> {
    const { databases, clock, newId, nextTurn } = this.#context;
    const isForThread = reports.some(({ content }) => isLong(content));
    const { result } = await writeTransaction({ db: databases.main, clock, newId }, AUTHOR, async (tx, trail) => {
      if (!isForThread) {
        const sent = reports.map((report) => ({ ...report, check: () => checkedHere(report, nextTurn) }));
        return ingestReports(tx, trail, sent, this.#needs());
      }
      const { results, events } = await this.#thread.store(tx, reports.map(toStore), clock.now());
      for (const { type, data } of events) trail.emit(type, data);
      return results;
    });
    return result;
  }
}

function isLong(content: ReportContent | undefined): content is ReportContent {
  return content !== undefined && content.text.length >= MIN_THREAD_LENGTH;
}

function identityOf({ report_id, scanned_at }: GivenReport) {
  return { report_id, scanned_at };
}

async function checkedHere({ given, checked }: QueuedReport, nextTurn: () => Promise<void>): Promise<CheckedReport> {
  return typeof checked === "object" ? checked : checkReport(given, nextTurn);
}

function toStore({ head, digest, actor, given, content, checked }: QueuedReport): ReportToStore {
  const unchecked = { identity: identityOf(given), text: content?.text ?? "" };
  return { head, digest, actor, content: checked ?? unchecked };
}
