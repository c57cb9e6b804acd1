import { parentPort, workerData } from "node:worker_threads";
import { Refusal } from "#lib/errors";
import { createIds } from "#lib/ids";
import { systemRandom } from "#lib/random";
import { setThreadPriority, THREAD_PRIORITIES } from "#lib/thread-priority";
import { readSettings, type Settings } from "#records/settings";
import { joinTransaction } from "#storage/joined-transaction";
import { statementFailure } from "#storage/shared-transaction";
import { type Connection, type HostedFile, hostFile } from "#storage/sqlite-worker";
import { WriteTrail } from "#storage/transaction";
import { checkReport, type GivenReport, redactReport } from "../check-report.ts";
import { contentDigest } from "../content-digest.ts";
import { createFactsCache } from "../decide.ts";
import { ingestReports } from "../ingest.ts";
import { readKnownFacts } from "../known-facts.ts";
import { KnownItems } from "../known-items.ts";
import type { DiscoveryNeeds } from "../needs.ts";
import { PolicyReader } from "../policy-reader.ts";
import { requireValidTokens } from "../require-valid-tokens.ts";
import { headOf, type IngestResult, type SentReport } from "../sent-report.ts";
import { wantedTexts } from "../wanted-texts.ts";
import type {
  OpenFile,
  ReportWorkerData,
  StoredReports,
  ThreadAnswer,
  ThreadFailure,
  ThreadRequest,
  ThreadRequests,
} from "./messages.ts";

/** Reports of more devices than this are checked again even if they repeat the last one. */
const MAX_KNOWN_DEVICES = 20_000;

/** How the API reads reports and responds to them. */
export interface ReportFormat {
  /** Throws a refusal if it is not a report. */
  read(bytes: Uint8Array): GivenReport;
  answer(result: IngestResult, settings: Settings, wantedTexts: readonly string[]): object;
}

/** Runs in a worker thread: reads, checks and stores reports, so that the main thread continues to serve calls. */
export function serveReports(format: ReportFormat): void {
  // report-thread.ts passes workerData when it starts this thread.
  const reports = new ThreadReports(format, workerData as ReportWorkerData);
  setThreadPriority(THREAD_PRIORITIES.background);
  parentPort?.on("message", async (message: ThreadRequests | OpenFile) => {
    if (message.kind === "open") return reports.openFile(message.file);
    const answers = await reports.answerAll(message);
    const moved = answers.flatMap((answer) => (answer.kind === "stored" ? answer.stored.answers : []));
    parentPort?.postMessage(
      answers,
      moved.map(({ buffer }) => buffer as ArrayBuffer),
    );
  });
}

const noTurn = async () => {};

class ThreadReports {
  readonly #format: ReportFormat;
  readonly #data: ReportWorkerData;
  readonly #policies = new PolicyReader();
  readonly #items = new KnownItems();
  readonly #facts = createFactsCache();
  /** By the number of the request to check it. */
  readonly #checked = new Map<number, SentReport>();
  /** The digest of the last content, by device. */
  readonly #contents = new Map<string, string>();
  /** With SQLite. */
  #connection: Connection | undefined;

  constructor(format: ReportFormat, data: ReportWorkerData) {
    this.#format = format;
    this.#data = data;
  }

  openFile(file: HostedFile): void {
    this.#connection = hostFile(file);
  }

  async answerAll({ requests, forgotten }: ThreadRequests): Promise<ThreadAnswer[]> {
    for (const id of forgotten) this.#checked.delete(id);
    const answers: ThreadAnswer[] = [];
    for (const request of requests) answers.push(await this.#answerTo(request));
    return answers;
  }

  async #answerTo(request: ThreadRequest): Promise<ThreadAnswer> {
    const { id } = request;
    try {
      if (request.kind === "store") return { kind: "stored", id, stored: await this.#store(request) };
      const report = await this.#check(request);
      this.#checked.set(id, report);
      return { kind: "checked", id, deviceId: report.head.deviceId };
    } catch (error) {
      return { kind: "failed", id, failure: failureOf(error) };
    }
  }

  /** Content that the device sent before seems to be stored, and is then not needed. */
  async #check({ bytes, actor }: ThreadRequest & { kind: "check" }): Promise<SentReport> {
    const given = redactReport(this.#format.read(bytes));
    const digest = contentDigest(given, this.#data.gatewayUrls);
    const sent = { head: headOf(given), digest, actor };
    const isKnown = digest !== undefined && this.#contents.get(given.device.id) === digest;
    if (isKnown) return { ...sent, check: () => checkReport(given, this.#items, noTurn) };
    const checked = await checkReport(given, this.#items, noTurn);
    return { ...sent, check: async () => checked };
  }

  async #store({ now, reports, transaction }: ThreadRequest & { kind: "store" }): Promise<StoredReports> {
    const trail = new WriteTrail();
    const { gatewayUrls, connectorIds } = this.#data;
    const needs: DiscoveryNeeds = {
      ...{ now, gatewayUrls, newId: createIds({ now: () => now }, systemRandom), nextTurn: noTurn },
      facts: this.#facts,
      readPolicy: (db) => this.#policies.read(db),
      readKnown: (db, items) => readKnownFacts(db, connectorIds, items),
    };
    const sent = reports.map((id) => this.#checkedReport(id));
    const { results, settings, wanted } = await joinTransaction(transaction, this.#connection, async (tx) => {
      await requireValidTokens(tx, sent, now);
      const settings = await readSettings(tx);
      const results = await ingestReports(tx, trail, sent, needs);
      return { results, settings, wanted: await wantedTexts(tx, results, settings) };
    });
    for (const { head, digest } of sent) this.#remember(head.deviceId, digest);
    const encoder = new TextEncoder();
    const answers = results.map((result, index) =>
      encoder.encode(JSON.stringify(this.#format.answer(result, settings, wanted[index] ?? []))),
    );
    return { answers, events: trail.events };
  }

  #checkedReport(id: number): SentReport {
    const report = this.#checked.get(id);
    if (!report) throw new Error("the thread that checked the report ended");
    return report;
  }

  #remember(deviceId: string, digest: string | undefined): void {
    this.#contents.delete(deviceId);
    if (digest === undefined) return;
    this.#contents.set(deviceId, digest);
    const [oldest] = this.#contents.size > MAX_KNOWN_DEVICES ? this.#contents.keys() : [];
    if (oldest !== undefined) this.#contents.delete(oldest);
  }
}

function failureOf(error: unknown): ThreadFailure {
  const message = error instanceof Error ? error.message : "unknown";
  return {
    message,
    refusal: error instanceof Refusal ? error.kind : undefined,
    statement: statementFailure(error),
  };
}
