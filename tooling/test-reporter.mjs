/**
 * The reporter of every test run: one line per file, failures in full, and at the end the totals, the tests per database
 * and the slowest files. Writes the same numbers as JSON to the file that TEST_SUMMARY_FILE names.
 */
import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import { inspect } from "node:util";
import { isBatch } from "./test-batches.ts";

const SLOWEST_FILES = 15;
const DATABASES = ["sqlite", "postgres"];

/** A suite belongs to a database when it is named after it: "sqlite", or "groups (sqlite)". */
const DATABASE_SUITE = new RegExp(`(?:^|\\s)\\(?(${DATABASES.join("|")})\\)?$`);

/** A suite that only reports that a test inside it failed. */
const FAILED_INSIDE = "subtestsFailed";

export default async function* report(events) {
  const run = new TestRun();
  for await (const { type, data } of events) yield* run.receive(type, data);
  yield run.summaryText();
  const path = process.env.TEST_SUMMARY_FILE;
  if (path) writeFileSync(path, `${JSON.stringify(run.summary(), undefined, 2)}\n`);
}

export class TestRun {
  #counts = {};
  #durationMs = 0;
  #onDatabase = new Map(DATABASES.map((name) => [name, 0]));
  /** By the path of the test file. */
  #files = new Map();
  #failures = [];
  /** Suites that failed outside their tests, such as a file that cannot be loaded. Node does not count them. */
  #failedSuites = 0;
  /** Names of the open suites and the current test, by nesting. Events of one entry file arrive together and in order. */
  #path = [];

  *receive(type, data) {
    if (type === "test:stdout" || type === "test:stderr") yield data.message;
    if (type === "test:start") {
      this.#path.length = data.nesting;
      this.#path.push(data.name);
    }
    if (type === "test:pass" || type === "test:fail") yield* this.#end(data, type === "test:pass");
    // Node repeats the totals as diagnostics without a file; summaryText prints them.
    if (type === "test:diagnostic" && data.file !== undefined) yield `  ℹ ${data.message}\n`;
    if (type === "test:summary") yield* this.#summarize(data);
  }

  *#end(data, passed) {
    const path = [...this.#path.slice(0, data.nesting), data.name];
    this.#path.length = data.nesting;
    const file = this.#fileOf(data, path);
    const isFileSuite = isBatch(data.entryFile) && data.nesting === 0;
    if (data.details.type !== "suite") this.#count(file, path);
    const failed = !passed && data.todo === undefined;
    if (failed && data.details.error?.failureType !== FAILED_INSIDE) {
      const failure = { file, name: (isBatch(data.entryFile) ? path.slice(1) : path).join(" > "), line: data.line };
      this.#failures.push(failure);
      this.#entry(file).failed += 1;
      if (data.details.type === "suite") this.#failedSuites += 1;
      yield failureText(failure, data.details.error);
    }
    if (isFileSuite) {
      this.#entry(file).durationMs = data.details.duration_ms;
      yield this.#fileText(file);
    }
  }

  *#summarize({ file, counts, duration_ms: durationMs }) {
    if (file === undefined) {
      this.#counts = counts;
      this.#durationMs = durationMs;
    } else if (!isBatch(file)) {
      const path = shown(file);
      this.#entry(path).durationMs = durationMs;
      yield this.#fileText(path);
    }
  }

  #fileOf({ entryFile, file }, path) {
    if (isBatch(entryFile)) return path[0];
    return shown(entryFile ?? file ?? "");
  }

  #count(file, path) {
    this.#entry(file).tests += 1;
    const database = path.slice(0, -1).map((name) => DATABASE_SUITE.exec(name)?.[1]);
    const found = database.find((name) => name !== undefined);
    if (found !== undefined) this.#onDatabase.set(found, this.#onDatabase.get(found) + 1);
  }

  #entry(file) {
    const entry = this.#files.get(file) ?? { tests: 0, failed: 0, durationMs: 0 };
    this.#files.set(file, entry);
    return entry;
  }

  #fileText(file) {
    const { tests, failed, durationMs } = this.#entry(file);
    return `${failed === 0 ? "✔" : "✖"} ${file}  ${tests} ${tests === 1 ? "test" : "tests"}, ${seconds(durationMs)}\n`;
  }

  #slowest() {
    const files = [...this.#files].map(([file, { tests, durationMs }]) => ({ file, tests, durationMs }));
    return files.sort((a, b) => b.durationMs - a.durationMs);
  }

  summary() {
    const { tests = 0, passed = 0, failed = 0, cancelled = 0, skipped = 0, todo = 0 } = this.#counts;
    const databases = Object.fromEntries(this.#onDatabase);
    const counts = { tests, passed, failed: failed + this.#failedSuites, cancelled, skipped, todo };
    return { ...counts, durationMs: this.#durationMs, databases, failures: this.#failures, files: this.#slowest() };
  }

  /** The lines of the counts are those of Node's spec reporter, because CI reads them. */
  summaryText() {
    const { tests, passed, failed, cancelled, skipped, todo, durationMs, databases } = this.summary();
    const slowest = this.#slowest().slice(0, SLOWEST_FILES);
    return [
      "",
      ...(slowest.length > 1 ? ["Slowest files:", ...slowest.map(slowFileText), ""] : []),
      ...(this.#failures.length > 0 ? ["Failed tests:", ...this.#failures.map(failureName), ""] : []),
      ...DATABASES.map((name) => `ℹ tests on ${name} ${databases[name]}`),
      `ℹ tests ${tests}`,
      `ℹ pass ${passed}`,
      `ℹ fail ${failed}`,
      `ℹ cancelled ${cancelled}`,
      `ℹ skipped ${skipped}`,
      `ℹ todo ${todo}`,
      `ℹ duration_ms ${durationMs}`,
      "",
    ].join("\n");
  }
}

function failureText(failure, error) {
  const cause = error?.cause ?? error;
  const text = typeof cause === "string" ? cause : inspect(cause, { depth: 8 });
  return `✖ ${failureName(failure).trimStart()}\n${indented(text)}\n`;
}

function failureName({ file, name, line }) {
  return `  ${file}${line === undefined ? "" : `:${line}`}  ${name}`;
}

function slowFileText({ file, tests, durationMs }) {
  return `  ${seconds(durationMs).padStart(8)}  ${file} (${tests})`;
}

function indented(text) {
  return text.replace(/^/gm, "    ");
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}

function shown(path) {
  const short = relative(process.cwd(), path);
  return short.startsWith("..") ? path : short;
}
