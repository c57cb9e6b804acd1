import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { type Egress, EgressFailure } from "#egress/egress";
import { redactText } from "#lib/logger";
import { VERSION } from "#lib/version";
import type { LogDestinationSecrets } from "#records/log-destinations";
import type { LogDestinationRow } from "#storage/log-destination-tables";
import { readRetryAfterMs } from "#webhooks/retry-schedule";
import { signedHeaders } from "#webhooks/sign";
import type { Batch } from "./batch.ts";
import { explainS3Status, explainStatus } from "./explain.ts";
import { appendToFile, fileNameOf } from "./file.ts";
import { otlpBody, partialSuccess } from "./otlp.ts";
import { objectKeyOf, objectUrl } from "./s3-object.ts";
import { signS3Request } from "./sigv4.ts";

export interface Shipment {
  readonly destination: Pick<LogDestinationRow, "id" | "kind" | "config">;
  readonly secrets: LogDestinationSecrets;
  readonly batch: Pick<Batch, "source" | "records" | "lines">;
  readonly at: number;
}

export interface ShipmentResult {
  /** Null: no HTTP response. */
  readonly status: number | null;
  /** Null: the receiver has the records. */
  readonly error: string | null;
  /** The first characters of the response. For a file, its name. */
  readonly response: string | null;
  readonly retryAfterMs: number;
  /** Records that the receiver rejected although it accepted the request. */
  readonly rejected: number;
  /** Why it rejected them. */
  readonly warning: string | null;
}

export interface ShipmentNeeds {
  readonly egress: Pick<Egress, "request">;
  /** `LOG_FILES_DIR`. */
  readonly filesFolder: string | undefined;
  readonly signal: AbortSignal;
}

const TIME_LIMIT_MS = 20_000;
const MAX_RESPONSE_BYTES = 4 * 1024;
const SHOWN_CHARACTERS = 1_000;
export const TOO_LARGE = 413;

const compress = promisify(gzip);

/** One attempt. Never throws for a failure of the receiver, the network or the disk. */
export async function ship(needs: ShipmentNeeds, shipment: Shipment): Promise<ShipmentResult> {
  switch (shipment.destination.kind) {
    case "otlp":
      return shipToCollector(needs, shipment);
    case "webhook":
      return shipToWebhook(needs, shipment);
    case "s3":
      return shipToBucket(needs, shipment);
    case "file":
      return shipToFile(needs, shipment);
  }
}

async function shipToCollector(needs: ShipmentNeeds, { destination, secrets, batch, at }: Shipment) {
  const result = await request(needs, {
    ...{ method: "POST", url: destination.config.url ?? "", body: otlpBody(batch, at) },
    headers: { ...secrets.headers, "content-type": "application/json" },
    explain: explainStatus,
  });
  const partial = result.error === null ? partialSuccess(result.response ?? "") : undefined;
  if (!partial) return result;
  const warning = `The collector rejected records: ${partial.rejected}. ${redactText(partial.message)}`.trimEnd();
  return { ...result, rejected: partial.rejected, warning };
}

function shipToWebhook(needs: ShipmentNeeds, { destination, secrets, batch, at }: Shipment) {
  const body = batch.lines.join("");
  const first = batch.records[0]?.id;
  // The same for the same batch. Records have separate IDs.
  const id = `${destination.id}-${batch.source}-${first}-${batch.records.length}`;
  return request(needs, {
    ...{ method: "POST", url: destination.config.url ?? "", body },
    headers: {
      ...secrets.headers,
      "content-type": "application/x-ndjson",
      ...signedHeaders({ id, body, at }, secrets.secret === undefined ? [] : [secrets.secret]),
    },
    explain: explainStatus,
  });
}

async function shipToBucket(needs: ShipmentNeeds, { destination, secrets, batch, at }: Shipment) {
  const { region = "", access_key_id: accessKeyId = "", prefix = "" } = destination.config;
  const body = await compress(batch.lines.join(""));
  const url = objectUrl(destination.config, objectKeyOf(prefix, batch));
  const key = { accessKeyId, secretAccessKey: secrets.secret_access_key ?? "", region };
  const plain = { "content-type": "application/x-ndjson", "content-encoding": "gzip" };
  const headers = signS3Request({ method: "PUT", url, headers: plain, body, at }, key);
  return request(needs, { method: "PUT", url: url.href, body, headers, explain: explainS3Status });
}

async function shipToFile(
  { filesFolder }: ShipmentNeeds,
  { destination, batch, at }: Shipment,
): Promise<ShipmentResult> {
  const result = { status: null, response: null, retryAfterMs: 0, rejected: 0, warning: null };
  if (filesFolder === undefined)
    return { ...result, error: "LOG_FILES_DIR is not set on this installation. Set it, then restart Gatehouse" };
  const prefix = destination.config.prefix ?? destination.id;
  try {
    await appendToFile(filesFolder, prefix, batch, at);
    return { ...result, error: null, response: fileNameOf(prefix, batch.source, at) };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    return { ...result, error: `The file in LOG_FILES_DIR cannot be written (${code}). Check the folder and its disk` };
  }
}

interface Outbound {
  readonly method: string;
  readonly url: string;
  readonly body: string | Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  explain(status: number, response: string): string;
}

async function request(
  { egress, signal }: ShipmentNeeds,
  { explain, headers, ...outbound }: Outbound,
): Promise<ShipmentResult> {
  const none = { rejected: 0, warning: null };
  try {
    const answer = await egress.request({
      ...outbound,
      headers: { ...headers, "user-agent": `Gatehouse/${VERSION}` },
      signal,
      maxBytes: MAX_RESPONSE_BYTES,
      cutsBody: true,
      timeouts: { idleMs: TIME_LIMIT_MS, totalMs: TIME_LIMIT_MS },
    });
    const response = answer.headers["content-encoding"] === undefined ? textOf(answer.body) : "";
    const { status } = answer;
    const error = status >= 200 && status < 300 ? null : explain(status, response);
    return { ...none, status, error, response, retryAfterMs: readRetryAfterMs(answer.headers["retry-after"]) };
  } catch (error) {
    if (!(error instanceof EgressFailure)) throw error;
    const message = error.message.charAt(0).toUpperCase() + error.message.slice(1);
    return { ...none, status: null, error: message, response: null, retryAfterMs: 0 };
  }
}

/** Postgres cannot store NUL. A receiver may echo anything, so credentials in it are removed. */
function textOf(bytes: Buffer): string {
  return redactText(bytes.toString("utf8").replaceAll("\0", "\ufffd")).slice(0, SHOWN_CHARACTERS).toWellFormed();
}
