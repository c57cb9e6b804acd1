import type { LogDestinationConfig } from "#storage/log-destination-tables";
import type { Batch } from "./batch.ts";
import { encodeKey } from "./sigv4.ts";

const DIGITS = 15;

/**
 * `<prefix><source>/<year>/<month>/<day>/<first>-<last>.jsonl.gz`: the time of the first record, and the numbers of the
 * first and the last, so that keys have the order of the log and a repeated batch replaces its object.
 */
export function objectKeyOf(prefix: string, { source, records }: Pick<Batch, "source" | "records">): string {
  const [first, last] = [records[0], records.at(-1)];
  const day = new Date(first?.at ?? 0).toISOString().slice(0, 10).replaceAll("-", "/");
  if (source === "test") return `${prefix}test/${day}/${first?.id}.jsonl.gz`;
  const [from, to] = [first, last].map((record) => String(record?.position ?? 0).padStart(DIGITS, "0"));
  return `${prefix}${source}/${day}/${from}-${to}.jsonl.gz`;
}

/** Path style: `<endpoint>/<bucket>/<key>`. Virtual-host style: the bucket is the first label of the host. */
export function objectUrl({ url = "", bucket = "", addressing }: LogDestinationConfig, key: string): URL {
  const endpoint = new URL(url);
  const base = endpoint.pathname.replace(/\/$/, "");
  if (addressing === "virtual_host") endpoint.hostname = `${bucket}.${endpoint.hostname}`;
  endpoint.pathname = `${base}/${addressing === "virtual_host" ? "" : `${encodeKey(bucket)}/`}${encodeKey(key)}`;
  return endpoint;
}
