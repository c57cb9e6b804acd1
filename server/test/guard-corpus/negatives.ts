import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { withIbanCheck, withLuhn } from "./personal-data.ts";
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

/** Texts that differ from a real sample in one detail: the check digit, the length, or a part that does not exist. */
export function nearMisses(random: CorpusRandom, count: number): string[] {
  return Array.from({ length: count }, () => random.pick(NEAR_MISSES)(random));
}

const NEAR_MISSES: readonly ((random: CorpusRandom) => string)[] = [
  (random) => `Card number: ${wrongLast(withLuhn(`4${random.digits(14)}`)).replace(/(.{4})(?=.)/g, "$1 ")}`,
  (random) => `credit card ${wrongLast(withLuhn(`37${random.digits(12)}`))}`,
  (random) => `card ${withLuhn(`9${random.digits(14)}`)}`,
  (random) => `IBAN DE${random.digits(2)}${random.digits(17)}`,
  (random) => `IBAN: ${wrongCheck(random, "GB", `WEST${random.digits(14)}`)}`,
  (random) => `Transfer to ${wrongCheck(random, "DE", random.digits(18))}`,
  (random) =>
    `SSN: ${random.pick(["000", "666", "900", "999"])}-${random.integer(10, 99)}-${random.integer(1000, 9999)}`,
  (random) => `NI number ${random.pick(["BG", "GB", "NK", "ZZ", "QQ"])}${random.digits(6)}A`,
  (random) => `host 10.${random.integer(256, 999)}.0.${random.integer(1, 9)} is invalid`,
  (random) => `fingerprint ${Array.from({ length: 20 }, () => random.text(HEX, 2)).join(":")}`,
  (random) => `Send to 1${random.text("ABCDEFGHJKLMNPQRSTUVWXYZ", 33)}`,
  (random) => `prefix ghp_${random.text(ALNUM, 12)} is too short`,
  (random) => `born in ${random.integer(1930, 2010)} in Rome, moved in 19.99.2001`,
  (random) => `user@localhost and icon@2x.png and @scope/pkg@${random.integer(1, 9)}.0.0`,
  (random) =>
    `Flight ${random.integer(100, 999)} leaves gate ${random.integer(1, 40)} on Main at ${random.integer(1, 12)} pm`,
];

function wrongLast(digits: string): string {
  return digits.slice(0, -1) + ((Number(digits.at(-1)) + 1) % 10);
}

function wrongCheck(random: CorpusRandom, country: string, account: string): string {
  const valid = withIbanCheck(country, account);
  return `${country}${String(((Number(valid.slice(2, 4)) + random.integer(1, 90)) % 97) + 1).padStart(2, "0")}${account}`;
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
