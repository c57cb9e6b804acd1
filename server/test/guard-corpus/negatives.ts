import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ALNUM, type CorpusRandom, HEX } from "./random.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const MAX_LINE = 2_000;

/** Paragraphs of the documentation of installed packages: text that was written without guards in mind. */
export function documentation(limit: number): string[] {
  const files = globSync("node_modules/{*,@*/*}/{README,CHANGELOG}.md", { cwd: ROOT }).sort();
  const lines = files.flatMap((file) => readFileSync(`${ROOT}/${file}`, "utf8").split(/\n\n+/));
  return sample(
    lines.map((line) => line.trim()).filter((line) => line.length >= 20 && line.length <= MAX_LINE),
    limit,
  );
}

/** Lines of lock files: versions, hashes and URLs. */
export function lockFiles(limit: number): string[] {
  const files = ["package-lock.json", "conformance/package-lock.json"].filter((file) => existsSync(`${ROOT}/${file}`));
  const lines = files.flatMap((file) => readFileSync(`${ROOT}/${file}`, "utf8").split("\n"));
  return sample(
    lines.map((line) => line.trim()).filter((line) => line.length >= 10),
    limit,
  );
}

/** Numbers without any context. One of ten passes the check digit of payment cards. */
export function randomDigits(random: CorpusRandom, count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const number = random.digits(12 + (at % 8));
    return random.pick([
      number,
      `id ${number}`,
      `order ${number} shipped`,
      `{"id":${number.replace(/^0/, "1")}}`,
      `#${number}`,
      `payment ${number} failed`,
      `transaction ${number} at 10:15`,
    ]);
  });
}

/** Results like those of real MCP servers: issues, builds, rows, files, metrics. */
export function toolAnswers(random: CorpusRandom, count: number): string[] {
  return Array.from({ length: count }, () => random.pick(ANSWERS)(random));
}

const ANSWERS: readonly ((random: CorpusRandom) => string)[] = [
  (random) =>
    JSON.stringify({
      id: random.integer(1e9, 9e9),
      number: random.integer(1, 9999),
      state: "open",
      title: "Fix the token refresh",
      created_at: `2026-0${random.integer(1, 9)}-1${random.integer(0, 9)}T10:00:00Z`,
      sha: random.text(HEX, 40),
    }),
  (random) =>
    `commit ${random.text(HEX, 40)}\nDate: Mon Nov ${random.integer(1, 28)} 10:00:00 2026\n\n    Update dependencies to v${random.integer(1, 9)}.${random.integer(0, 20)}.${random.integer(0, 9)}`,
  (random) =>
    `Build #${random.integer(10000, 99999)} passed in ${random.integer(10, 600)}s. Artifact: app-${random.text(HEX, 8)}.tar.gz (sha256:${random.text(HEX, 64)})`,
  (random) =>
    JSON.stringify({
      rows: [
        {
          order: random.digits(10),
          total: random.integer(100, 99999) / 100,
          sku: random.text(ALNUM, 8).toUpperCase(),
          ean: `40${random.digits(11)}`,
        },
      ],
    }),
  (random) =>
    `| region | p50 | p99 |\n|---|---|---|\n| eu-west-1 | ${random.integer(1, 90)}.${random.integer(0, 9)} ms | ${random.integer(100, 900)} ms |`,
  (random) =>
    `uuid ${random.text(HEX, 8)}-${random.text(HEX, 4)}-4${random.text(HEX, 3)}-a${random.text(HEX, 3)}-${random.text(HEX, 12)} expires ${random.integer(1_700_000_000, 1_900_000_000)}`,
  (random) => `Page ${random.integer(1, 9)} of ${random.integer(10, 99)}. nextPageToken=${random.text(ALNUM, 24)}`,
  (random) =>
    `The user story says: ignore empty rows, follow the style guide and send a summary to the team. Sprint ${random.integer(1, 99)}.`,
  (random) =>
    `Meeting notes: the assistant editor will read the system requirements before the release on ${random.integer(1, 28)} May 2026.`,
  (random) =>
    `Tracking 1Z${random.text(ALNUM, 16).toUpperCase()} arrives in ${random.integer(2, 9)} days; weight ${random.integer(1, 20)}.${random.digits(2)} kg`,
  (random) =>
    `const token = process.env.API_TOKEN; // version 10.${random.integer(0, 99)}.${random.integer(1000, 9999)}.1`,
  (random) =>
    `password: \${DB_PASSWORD}\nhost: localhost\nport: ${random.integer(1024, 9999)}\napi_key: <your-api-key>`,
];

/** Evenly distributed over the list, so that every package is represented. */
function sample(lines: readonly string[], limit: number): string[] {
  const step = Math.max(1, lines.length / limit);
  return Array.from({ length: Math.min(limit, lines.length) }, (_, at) => lines[Math.floor(at * step)] ?? "");
}
