/** The service's API, as far as the scan agent uses it. */

import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { EffectivePolicy } from "#policy/policy-types";
import type { Report } from "#policy/types";
import { type Fields, isFields } from "./discover/parse-config.ts";
import { type Settings, UsageError } from "./settings.ts";
import { VERSION } from "./version.ts";

const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const ATTEMPTS = 3;

/** The service could not be reached, is overloaded, or something else answered. The report is kept for later. */
export class Unavailable extends Error {}
/** The service rejected the report. Sending it again does not help. */
export class Rejected extends Error {}
/** The token or the URL is wrong. The same request works after it was fixed. */
export class NoAccess extends Error {}
/** The request is larger than the service, or a proxy in front of it, accepts. */
export class TooLarge extends Rejected {}

export interface FetchedPolicy {
  readonly policy: EffectivePolicy;
  readonly etag: string | undefined;
}

export class Service {
  readonly #url: string;
  readonly #token: string;
  readonly #backoffMs: number;

  constructor({ url, token, allowHttp }: Settings, backoffMs = 1000) {
    if (url === undefined)
      throw new UsageError("GATEHOUSE_URL is not set. Set it, or add url to the configuration file.");
    if (token === undefined)
      throw new UsageError("GATEHOUSE_SCAN_TOKEN is not set. Create an API token with the scope discovery:ingest.");
    if (!URL.canParse(url)) throw new UsageError("GATEHOUSE_URL is not a URL such as https://gatehouse.example.com.");
    const { protocol, hostname, username, password } = new URL(url);
    // Errors contain the URL, and fetch refuses one with a password.
    if (username !== "" || password !== "") {
      throw new UsageError(
        "GATEHOUSE_URL contains a user name or a password. Remove them; GATEHOUSE_SCAN_TOKEN authenticates the device.",
      );
    }
    const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
    if (protocol !== "https:" && !(protocol === "http:" && (isLocal || allowHttp))) {
      throw new UsageError(
        "GATEHOUSE_URL must start with https://. Pass --allow-http to send reports and the token without encryption.",
      );
    }
    this.#url = url.replace(/\/+$/, "");
    this.#token = token;
    this.#backoffMs = backoffMs;
  }

  /** The `data` of the answer. */
  async sendReport(report: Report, ageSeconds = 0): Promise<Fields> {
    const body = gzipSync(JSON.stringify({ ...report, age_seconds: ageSeconds }));
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const answer = await this.#request("/api/ai-discovery/reports", { method: "POST", headers, body });
    const data = dataOf(answer.body);
    if (typeof data?.device_id !== "string") throw this.#notGatehouse(answer.status);
    return data;
  }

  /** Undefined if the policy is still the one of `etag`. */
  async fetchPolicy(deviceId: string, etag: string | undefined): Promise<FetchedPolicy | undefined> {
    const path = `/api/ai-discovery-policy/effective?device_id=${encodeURIComponent(deviceId)}`;
    const answer = await this.#request(path, { headers: etag === undefined ? {} : { "if-none-match": etag } });
    if (answer.status === 304) return undefined;
    const data = dataOf(answer.body);
    if (!isPolicy(data)) throw this.#notGatehouse(answer.status);
    return { policy: data, etag: answer.etag };
  }

  async #request(
    path: string,
    options: RequestInit,
  ): Promise<{ status: number; body: unknown; etag: string | undefined }> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(path, options);
      } catch (error) {
        if (!(error instanceof Unavailable) || attempt >= ATTEMPTS) throw error;
        await sleep(this.#backoffMs * 4 ** (attempt - 1));
      }
    }
  }

  async #attempt(path: string, { headers, ...options }: RequestInit) {
    let response: Response;
    try {
      response = await fetch(this.#url + path, {
        ...options,
        headers: { ...headers, authorization: `Bearer ${this.#token}`, "user-agent": `gatehouse-scan/${VERSION}` },
        // A redirect could send the token to another host.
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (error) {
      throw new Unavailable(`${this.#url} is not reachable: ${reasonOf(error)}`);
    }
    const text = await readText(response);
    if (response.status >= 500 || response.status === 429)
      throw new Unavailable(`${this.#url} answered with ${response.status}`);
    if (!response.ok && response.status !== 304) throw this.#refusalOf(response.status, text);
    return { status: response.status, body: parse(text), etag: response.headers.get("etag") ?? undefined };
  }

  /** A sign-in page of a network or a maintenance page can answer with 200, and an answer can be cut off. */
  #notGatehouse(status: number): Unavailable {
    const causes = "a proxy or a sign-in page answered, or GATEHOUSE_URL is not the URL of Gatehouse";
    return new Unavailable(`${this.#url} answered with ${status}, but not like Gatehouse: ${causes}`);
  }

  #refusalOf(status: number, text: string): Error {
    const rejected = `${this.#url} rejected the request (${status}): ${messageOf(text)}`;
    if (status === 413) return new TooLarge(rejected);
    if (status === 400 || status === 422) return new Rejected(rejected);
    const hint = "Check that GATEHOUSE_SCAN_TOKEN is a valid API token with the scope discovery:ingest.";
    if (status === 401 || status === 403) return new NoAccess(`${this.#url} rejected the token (${status}). ${hint}`);
    return new NoAccess(`${this.#url} answered with ${status}. Check that GATEHOUSE_URL is the URL of Gatehouse.`);
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > MAX_ANSWER_BYTES) throw new Rejected("The answer of the service is too large.");
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Rejected) throw error;
    throw new Unavailable(`The connection ended early: ${reasonOf(error)}`);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function dataOf(body: unknown): Fields | undefined {
  return isFields(body) && isFields(body.data) ? body.data : undefined;
}

function messageOf(text: string): string {
  const body = parse(text);
  const message = isFields(body) ? (body.error ?? body.message) : undefined;
  return (typeof message === "string" ? message : text).slice(0, 300) || "no reason given";
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
}

/** The rules are checked when they are compiled: a condition that is not understood never holds. */
function isPolicy(value: unknown): value is EffectivePolicy {
  if (!isFields(value) || typeof value.version !== "number" || !Array.isArray(value.rules)) return false;
  return isFields(value.default_actions) && value.rules.every((rule) => isFields(rule) && isFields(rule.match));
}
