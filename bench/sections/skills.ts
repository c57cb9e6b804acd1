import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load, type Target } from "../load.ts";
import { residentMb, startGatehouse } from "../processes.ts";
import type { Report } from "../report.ts";
import { seed } from "../seed.ts";

const SIZE = { servers: 1, toolsPerServer: 1, toolBytes: 700, users: 1, groups: 1, serversOfFirstUser: 1 };
const SKILLS = 1_000;
const FILES = 20;
const CALLS = 1_000;

/** `skills/list` of 1,000 skills with 20 files each, and the memory that they take: 80 MB of files stay in the database. */
export async function measureSkills(report: Report): Promise<void> {
  const without = await withService(undefined, async (_target, memory) => memory());
  await withService({ skills: SKILLS, filesPerSkill: FILES }, async (target, memory) => {
    await load(target("skills/list"), 1, 1, (answer) => {
      const { result } = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));
      if (result.skills.length !== 100 || result.nextCursor === undefined) throw new Error("not the first 100 skills");
    });
    await load(target("skills/list"), 1, CALLS);
    const { p50Ms } = await load(target("skills/list"), 1, CALLS);
    report.add({
      what: `skills/list, a page of 100 of ${SKILLS} skills with ${FILES} files: p50`,
      seen: `${p50Ms.toFixed(2)} ms`,
      budget: "≤ 10 ms",
      met: p50Ms <= 10,
    });
    const read = await load(target("resources/read", { uri: "skill://skill-7/references/file-3.md" }), 1, CALLS);
    report.add({ what: "— resources/read of a file of 4 KiB: p50", seen: `${read.p50Ms.toFixed(2)} ms` });
    const added = memory() - without;
    report.add({
      what: `memory that ${SKILLS} skills with ${FILES} files add`,
      seen: `${added.toFixed(0)} MB`,
      budget: "≤ 60 MB",
      met: added <= 60,
    });
  });
}

type Use<Result> = (target: (method: string, params?: object) => Target, memory: () => number) => Promise<Result>;

async function withService<Result>(
  more: { readonly skills: number; readonly filesPerSkill: number } | undefined,
  use: Use<Result>,
): Promise<Result> {
  const dataDir = mkdtempSync(join(tmpdir(), "gatehouse-bench-"));
  const { credential } = await seed(dataDir, "http://127.0.0.1:9/mcp", { ...SIZE, ...more });
  const gatehouse = await startGatehouse(dataDir);
  try {
    const target = (method: string, params: object = {}): Target => ({
      port: gatehouse.port,
      path: "/mcp",
      headers: { authorization: `Bearer ${credential}` },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    await load(target("skills/list"), 1, CALLS);
    return await use(target, () => residentMb(gatehouse.pid));
  } finally {
    await gatehouse.stop();
    rmSync(dataDir, { recursive: true });
  }
}
