import { ApiError } from "#openapi/client";
import { isObject } from "#openapi/json";
import { describeFileFailure } from "./file-failure.ts";

/** Exit codes, documented in docs/guide/cli.md. */
export const EXIT = { ok: 0, failed: 1, changes: 2, usage: 64, refused: 3, notFound: 4, unreachable: 5 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends a command with an exit code and a message for the user. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

export function badUsage(message: string): Failure {
  return new Failure(EXIT.usage, message);
}

export function unreachable(url: string, error: unknown): Failure {
  const hint = "Check that Gatehouse is running and that GATEHOUSE_URL or --url is its URL.";
  return new Failure(EXIT.unreachable, `Cannot reach ${url}: ${reasonOf(error)}. ${hint}`);
}

/** Undefined for a bug in the CLI, which is reported with its stack trace. */
export function failureOf(
  error: unknown,
  url: string,
  translate: (message: string) => string = (message) => message,
): Failure | undefined {
  if (error instanceof Failure) return error;
  if (!(error instanceof ApiError)) return fileFailure(error);
  const { status, message } = error;
  if (status === 0) return error.cause === undefined ? badUsage(message) : unreachable(url, error.cause);
  // Gatehouse reports every error as JSON with a text, so another service responded.
  if (!hasText(error.body)) {
    return new Failure(EXIT.unreachable, `${message}. Check that ${url} is the URL of Gatehouse.`);
  }
  if (status === 401) {
    return new Failure(EXIT.refused, `${url} rejected the API token. Check GATEHOUSE_TOKEN, or create a new token.`);
  }
  const trace = status >= 500 && error.requestId !== undefined ? ` (request ID ${error.requestId})` : "";
  return new Failure(exitCodeOf(status), `${translate(message)}${trace}`);
}

function hasText(body: unknown): boolean {
  return isObject(body) && (typeof body.message === "string" || typeof body.error === "string");
}

/** A file, folder, or disk that cannot be read or written. */
function fileFailure(error: unknown): Failure | undefined {
  const message = describeFileFailure(error);
  return message === undefined ? undefined : new Failure(EXIT.failed, message);
}

export function exitCodeOf(status: number): ExitCode {
  if (status === 401 || status === 403) return EXIT.refused;
  if (status === 404) return EXIT.notFound;
  return status >= 502 && status <= 504 ? EXIT.unreachable : EXIT.failed;
}

/** The innermost cause, such as `connect ECONNREFUSED 127.0.0.1:8080` instead of `fetch failed`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "timed out";
  if (error.cause !== undefined) return reasonOf(error.cause);
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error.message;
}
