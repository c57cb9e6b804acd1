import { EgressFailure, type EgressFetch } from "#egress/egress";
import type { Clock } from "#lib/clock";
import type { Logger } from "#lib/logger";
import { allowedDocuments, type DocumentState, readDocumentState, storeDocumentState } from "#records/client-documents";
import { readSettings, type Settings } from "#records/settings";
import type { MainDb } from "#storage/database";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const TEST_INTERVAL_MS = 4 * HOUR_MS;
const LONGEST_RETRY_MS = HOUR_MS;
/** Anyone can send the URL of a document, so a failed one counts only for a while. */
const FAILED_DOCUMENT_MS = 24 * HOUR_MS;
const TEST_TIMEOUT_MS = 5_000;
const TESTED_DOCUMENTS = 3;
/** Responses that a host sent, so it was reached. */
const REACHED = new Set(["too-large", "encoding", "redirect", "protocol"]);

export interface DocumentReachabilityNeeds {
  readonly db: MainDb;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The client that fetches documents: it reaches public addresses only. */
  readonly fetch: EgressFetch;
  /** Tested if no client with a document is known. Undefined: the operator disabled requests to it. */
  readonly registryUrl: string | undefined;
}

export interface DocumentStatus {
  readonly mode: Settings["client_id_documents"];
  readonly isAdvertised: boolean;
  /** The last result; undefined: not tested. */
  readonly state: DocumentState | undefined;
}

/**
 * Decides whether the metadata advertises client ID metadata documents (decision 0068): with `auto` only while there is
 * evidence that they can be fetched. Without them, clients register themselves.
 */
export class DocumentReachability {
  readonly #needs: DocumentReachabilityNeeds;

  constructor(needs: DocumentReachabilityNeeds) {
    this.#needs = needs;
  }

  async status(): Promise<DocumentStatus> {
    const { db } = this.#needs;
    const { client_id_documents: mode } = await readSettings(db);
    const state = await readDocumentState(db);
    return { mode, isAdvertised: mode === "on" || (mode === "auto" && state?.works === true), state };
  }

  /** Fetches a document for a client's request and learns from the outcome. */
  async fetch(...[input, init]: Parameters<EgressFetch>): Promise<Response> {
    const url = String(input instanceof Request ? input.url : input);
    try {
      const response = await this.#needs.fetch(input, init);
      await this.#noteFetched(url);
      return response;
    } catch (error) {
      if (isUnreachable(error)) await this.#noteFailed(url, error.message);
      throw error;
    }
  }

  /** Tests the URLs that are due. Contacts nothing unless the setting is `auto`. */
  async testWhenDue(): Promise<void> {
    const { mode, state } = await this.status();
    const now = this.#needs.clock.now();
    if (mode !== "auto" || (state && now < state.nextTestAt)) return;
    const failed = state?.failed && now - state.failed.at < FAILED_DOCUMENT_MS ? state.failed : null;
    const last = await this.#firstReachable(await this.#urlsToTest(failed?.url));
    if (last === undefined) return;
    const works = last.reason === null;
    const failures = works ? 0 : (state?.failures ?? 0) + 1;
    const waitMs = works ? TEST_INTERVAL_MS : Math.min(MINUTE_MS * 2 ** (failures - 1), LONGEST_RETRY_MS);
    const test = { testedAt: now, nextTestAt: now + waitMs, failures, failed: works ? null : failed };
    await this.#store(state, { works, ...last, ...test });
  }

  /** The registry says nothing about a document that could not be fetched, so it is tested only without any. */
  async #urlsToTest(failedUrl: string | undefined): Promise<string[]> {
    const { db, registryUrl } = this.#needs;
    const documents = await allowedDocuments(db, TESTED_DOCUMENTS);
    if (failedUrl !== undefined) return [...new Set([failedUrl, ...documents])];
    return documents.length > 0 || registryUrl === undefined ? documents : [registryUrl];
  }

  /** The last URL that was tested; undefined: none. */
  async #firstReachable(urls: readonly string[]): Promise<{ url: string; reason: string | null } | undefined> {
    let last: { url: string; reason: string | null } | undefined;
    for (const url of urls) {
      last = { url, reason: await this.#problemWith(url) };
      if (last.reason === null) break;
    }
    return last;
  }

  async #problemWith(url: string): Promise<string | null> {
    try {
      await this.#needs.fetch(url, { method: "GET", redirect: "manual", signal: AbortSignal.timeout(TEST_TIMEOUT_MS) });
      return null;
    } catch (error) {
      if (isUnreachable(error)) return error.message;
      return error instanceof EgressFailure && REACHED.has(error.kind) ? null : "the test failed";
    }
  }

  async #noteFetched(url: string): Promise<void> {
    const { db, clock } = this.#needs;
    const state = await readDocumentState(db);
    const now = clock.now();
    // Not for each document: a sign-in needs no write.
    if (state?.works && state.nextTestAt - now > TEST_INTERVAL_MS / 2) return;
    const next = { works: true, url, reason: null, testedAt: now, nextTestAt: now + TEST_INTERVAL_MS };
    await this.#store(state, { ...next, failures: 0, failed: null });
  }

  async #noteFailed(url: string, reason: string): Promise<void> {
    const { db, clock } = this.#needs;
    const state = await readDocumentState(db);
    const now = clock.now();
    // Strangers choose the URLs, so they must not cause a write for each request.
    if (state?.failed && now - state.failed.at < MINUTE_MS) return;
    const failed = { url, at: now };
    // While it fails already, the next test keeps its time, so that requests cannot cause more of them.
    const test =
      state && !state.works
        ? { nextTestAt: state.nextTestAt, failures: state.failures }
        : { nextTestAt: now + MINUTE_MS, failures: 0 };
    await this.#store(state, { works: false, url, reason, testedAt: now, ...test, failed });
  }

  async #store(before: DocumentState | undefined, after: DocumentState): Promise<void> {
    await storeDocumentState(this.#needs.db, after);
    const { works, url, reason } = after;
    if (before?.works === works) return;
    if (works) this.#needs.logger.info({ url }, "client ID metadata documents can be fetched");
    else this.#needs.logger.warn({ url, reason }, "client ID metadata documents cannot be fetched");
  }
}

/** The host could not be reached. `cancelled` is the timeout of the OAuth library. */
export function isUnreachable(error: unknown): error is EgressFailure {
  return error instanceof EgressFailure && !REACHED.has(error.kind) && error.kind !== "closed";
}
