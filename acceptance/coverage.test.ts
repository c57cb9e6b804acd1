import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const ID = /^(?:S\d(?:\.\d)?-[a-z0-9-]+|(?:API|OPS)-\d+)$/;

interface Row {
  readonly clause: string;
  /** One entry per proof. */
  readonly proofs: readonly string[];
}

/** `` `file`: name`` of each test, by the clauses in the brackets after its name. */
function provenClauses(): Map<string, string[]> {
  const proofs = new Map<string, string[]>();
  for (const file of globSync("*/*.{test,long,browser}.ts", { cwd: here }).sort()) {
    const source = readFileSync(`${here}${file}`, "utf8");
    for (const [, name, clauses = ""] of source.matchAll(/\bit\(\s*"(.*) \[([^\]]+)\]"/g)) {
      for (const clause of clauses.split(" ")) {
        proofs.set(clause, [...(proofs.get(clause) ?? []), `\`${file}\`: ${name}`]);
      }
    }
  }
  return proofs;
}

function rows(): Row[] {
  return readFileSync(`${here}COVERAGE.md`, "utf8")
    .split("\n")
    .map((line) => line.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "")))
    .filter(([clause = ""]) => ID.test(clause))
    .map(([clause = "", _clauseText, proof = ""]) => ({ clause, proofs: proof.split("<br>") }));
}

describe("COVERAGE.md", () => {
  const proven = provenClauses();

  it("has each clause once, and each with a proof", () => {
    const clauses = rows().map(({ clause }) => clause);
    assert.ok(clauses.length > 0);
    assert.equal(new Set(clauses).size, clauses.length);
    for (const { clause, proofs } of rows())
      assert.ok(
        proofs.every((proof) => proof.trim() !== ""),
        clause,
      );
  });

  it("lists for each clause exactly the tests that cite it", () => {
    for (const { clause, proofs } of rows()) {
      const tests = proofs.filter((proof) => /^`[^`]+\.ts`: /.test(proof));
      assert.deepEqual(tests, proven.get(clause) ?? [], clause);
    }
  });

  it("has every clause that a test cites", () => {
    const known = new Set(rows().map(({ clause }) => clause));
    assert.deepEqual(
      [...proven.keys()].filter((clause) => !known.has(clause)),
      [],
    );
  });

  it("links only to existing files", () => {
    for (const { clause, proofs } of rows()) {
      for (const [, file = ""] of proofs.join(" ").matchAll(/`(server\/[^`]+|kit\/[^`]+)`/g)) {
        assert.ok(existsSync(`${here}${file.startsWith("kit/") ? file : `../${file}`}`), `${clause}: ${file}`);
      }
    }
  });
});
