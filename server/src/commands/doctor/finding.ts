export type Status = "ok" | "warning" | "error";

/** The result of one check: what was found, and what to do about it. */
export interface Finding {
  readonly check: string;
  readonly status: Status;
  readonly message: string;
  /** Null: nothing to do. */
  readonly advice: string | null;
}

export function ok(check: string, message: string): Finding {
  return { check, status: "ok", message, advice: null };
}

export function warning(check: string, message: string, advice: string): Finding {
  return { check, status: "warning", message, advice };
}

export function failure(check: string, message: string, advice: string): Finding {
  return { check, status: "error", message, advice };
}

export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ("code" in error ? String(error.code) : error.name);
}

/** All findings. Each is also passed to `print` as soon as it is known. */
export async function collect(
  findings: AsyncIterable<Finding>,
  print: (finding: Finding) => void = () => {},
): Promise<Finding[]> {
  const all: Finding[] = [];
  for await (const finding of findings) {
    all.push(finding);
    print(finding);
  }
  return all;
}
