/** Runs the conformance suite against a URL and reads its results. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** One for each era. */
export const REVISIONS = ["2025-11-25", "2026-07-28"] as const;
export type Revision = (typeof REVISIONS)[number];

/** `scenario check` → result; the worst one if a scenario repeats a check. */
export type Findings = ReadonlyMap<string, Finding>;
/** `seen`: informational, neither passed nor failed. */
export type Finding = "failed" | "warned" | "skipped" | "passed" | "seen";

export interface Check {
  readonly id: string;
  readonly status: keyof typeof FINDING_OF;
}

export const COMMAND = fileURLToPath(new URL("../node_modules/.bin/conformance", import.meta.url));
/** Scenarios take less than a second unless they wait for a message that never arrives. */
const SCENARIO_TIMEOUT_MS = 15_000;
const WORST_FIRST: readonly Finding[] = ["failed", "warned", "skipped", "passed", "seen"];
const FINDING_OF = {
  FAILURE: "failed",
  WARNING: "warned",
  SKIPPED: "skipped",
  SUCCESS: "passed",
  INFO: "seen",
} as const;

/** All scenarios of a revision, including unscored ones. */
export async function runSuite(url: string, revision: Revision): Promise<Findings> {
  const directory = await mkdtemp(join(tmpdir(), "gatehouse-conformance-results-"));
  try {
    const args = ["server", "--url", url, "--requirements", revision, "-o", directory];
    const child = spawn(process.execPath, [COMMAND, ...args, "--timeout", String(SCENARIO_TIMEOUT_MS)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
    if (!output.includes("=== SUMMARY ===")) throw new Error(`the suite did not finish:\n${output}`);
    return await readFindings(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function readFindings(directory: string): Promise<Findings> {
  const judged: { scenario: string; checks: Check[] }[] = [];
  for (const folder of (await readdir(directory)).sort()) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(folder)?.[1];
    if (scenario === undefined) throw new Error(`unknown result folder: ${folder}`);
    const checks: Check[] = JSON.parse(await readFile(join(directory, folder, "checks.json"), "utf8"));
    judged.push({ scenario, checks });
  }
  return findingsOf(judged);
}

export function findingsOf(
  judged: readonly { readonly scenario: string; readonly checks: readonly Check[] }[],
): Findings {
  const findings = new Map<string, Finding>();
  for (const { scenario, checks } of judged) {
    for (const { id, status } of checks) {
      const key = `${scenario} ${id}`;
      const found = [findings.get(key), FINDING_OF[status]];
      findings.set(key, WORST_FIRST.find((finding) => found.includes(finding)) ?? "seen");
    }
  }
  return findings;
}

/** From the suite's list of required scenarios of a revision. */
export async function requiredScenarios(revision: Revision, role: "server" | "client"): Promise<string[]> {
  const file = new URL(
    `../node_modules/@modelcontextprotocol/conformance/requirements/${revision}.yaml`,
    import.meta.url,
  );
  const list = new RegExp(`^${role}:\\n((?: {2}- .+\\n)+)`, "m").exec(await readFile(file, "utf8"))?.[1] ?? "";
  return Array.from(list.matchAll(/- (\S+)/g), ([, scenario]) => scenario ?? "").sort();
}
