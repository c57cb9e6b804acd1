import { ApiError } from "#openapi/client";

/** What a script can tell from the exit code alone; docs/guide/cli.md lists them. */
export const EXIT = { ok: 0, failed: 1, usage: 64, refused: 3, notFound: 4, unreachable: 5 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The end of a command, in one sentence that says what to do. */
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

export function unreachable(address: string, error: unknown): Failure {
  return new Failure(EXIT.unreachable, `${address} cannot be reached: ${reasonOf(error)}`);
}

/** Undefined: a fault of our own, which nobody should have to read as if it were theirs. */
export function failureOf(error: unknown, address: string): Failure | undefined {
  if (error instanceof Failure) return error;
  if (!(error instanceof ApiError)) return undefined;
  const { status, message } = error;
  if (status === 0) return error.cause === undefined ? badUsage(message) : unreachable(address, error.cause);
  // Our service says in JSON what it cannot find; whoever else listens there does not.
  if (error.body === undefined) {
    return new Failure(EXIT.unreachable, `${message}; is ${address} the address of Gatehouse?`);
  }
  if (status === 401) return new Failure(EXIT.refused, `${address} does not accept the API token`);
  const trace = status >= 500 && error.requestId !== undefined ? ` (request ${error.requestId})` : "";
  return new Failure(exitCodeOf(status), `${message}${trace}`);
}

export function exitCodeOf(status: number): ExitCode {
  if (status === 401 || status === 403) return EXIT.refused;
  if (status === 404) return EXIT.notFound;
  return status >= 502 && status <= 504 ? EXIT.unreachable : EXIT.failed;
}

/** The innermost cause: `fetch failed` helps nobody, `connect ECONNREFUSED 127.0.0.1:8080` does. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "no answer in time";
  if (error.cause !== undefined) return reasonOf(error.cause);
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error.message;
}
