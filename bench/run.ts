/**
 * `npm run bench [section …]`: measures everything with a budget in one run on one machine. Ratios matter, absolute
 * times do not. Prints a table, writes it to bench/README.md if all sections ran, and reports missed budgets.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Report, writeTable } from "./report.ts";
import { measureAdmin } from "./sections/admin.ts";
import { measureAgents } from "./sections/agents.ts";
import { measureApi } from "./sections/api.ts";
import { measureCalls } from "./sections/calls.ts";
import { measureGrowth } from "./sections/growth.ts";
import { measureGuards } from "./sections/guards.ts";
import { measureIdentity } from "./sections/identity.ts";
import { measureIdle } from "./sections/idle.ts";
import { measureLists } from "./sections/lists.ts";
import { measureSkills } from "./sections/skills.ts";
import { measureToolkits } from "./sections/toolkits.ts";

const SECTIONS: Readonly<Record<string, (report: Report) => Promise<void>>> = {
  calls: measureCalls,
  lists: measureLists,
  toolkits: measureToolkits,
  skills: measureSkills,
  idle: measureIdle,
  growth: measureGrowth,
  admin: measureAdmin,
  api: measureApi,
  guards: measureGuards,
  identity: measureIdentity,
  agents: measureAgents,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in SECTIONS));
if (unknown.length > 0) {
  console.error(`unknown section ${unknown.join(", ")}; use ${Object.keys(SECTIONS).join(", ")}`);
  process.exit(64);
}
const report = new Report();
for (const [name, measure] of Object.entries(SECTIONS)) {
  if (wanted.length === 0 || wanted.includes(name)) await measure(report);
}
if (wanted.length === 0) {
  const readme = fileURLToPath(new URL("./README.md", import.meta.url));
  writeTable(readme, readFileSync(readme, "utf8"), report.table());
}
const missed = report.missed();
console.log(missed.length === 0 ? "\nall budgets met" : `\n${missed.length} missed:`);
for (const { what, seen, budget } of missed) console.log(`  ${what}: ${seen}, budget ${budget}`);
