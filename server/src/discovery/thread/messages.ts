import type { Refusal } from "#lib/errors";
import type { EmittedEvent } from "#storage/event-outbox";
import type { SharedTransaction, StatementFailure } from "#storage/shared-transaction";
import type { HostedFile } from "#storage/sqlite-worker";
import type { Actor } from "#storage/transaction";

export interface ReportWorkerData {
  /** Servers at these URLs are managed. */
  readonly gatewayUrls: readonly string[];
  /** Of the built-in connectors, by endpoint. */
  readonly connectorIds: ReadonlyMap<string, string>;
}

/** Opens the SQLite file of the reports. Its port answers. */
export interface OpenFile {
  readonly kind: "open";
  readonly file: HostedFile;
}

/** Posted together and answered together, so that several reports wake each thread once. */
export interface ThreadRequests {
  readonly kind: "requests";
  readonly requests: readonly ThreadRequest[];
  /** Checked reports that are no longer needed. */
  readonly forgotten: readonly number[];
}

export type ThreadRequest =
  | { readonly id: number; readonly kind: "check"; readonly bytes: Uint8Array; readonly actor: Actor }
  | {
      readonly id: number;
      readonly kind: "store";
      readonly now: number;
      /** The numbers of the requests to check them. */
      readonly reports: readonly number[];
      readonly transaction: SharedTransaction;
    };

export interface StoredReports {
  /** JSON, in the order of the reports. */
  readonly answers: readonly Uint8Array[];
  readonly events: readonly EmittedEvent[];
}

export interface ThreadFailure {
  readonly message: string;
  readonly refusal?: Refusal["kind"] | undefined;
  readonly statement?: StatementFailure | undefined;
}

export type ThreadAnswer =
  | { readonly kind: "checked"; readonly id: number; readonly deviceId: string }
  | { readonly kind: "stored"; readonly id: number; readonly stored: StoredReports }
  | { readonly kind: "failed"; readonly id: number; readonly failure: ThreadFailure };
