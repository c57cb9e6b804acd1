/**
 * Finds phrases that plain technical English does not use, and marks of unfinished merges; prints path:line: phrase → use instead, and fails.
 *
 *   node tooling/check-words.mjs [root]
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** `except` lists path prefixes where the phrase is right, with the reason. */
const PHRASES = [
  { phrase: /\be-mail(s|ed)?\b/i, use: "email" },
  { phrase: /\bof (?:its|their|his|her|our|my|your) own\b/i, use: "separate, its, their" },
  { phrase: /\bof (?:theirs|ours)\b/i, use: "their, our" },
  { phrase: /\bby (?:itself|themselves)\b/i, use: "automatically" },
  { phrase: /\bby hand\b/i, use: "manually" },
  { phrase: /\b(?:all )?at once\b/i, use: "immediately, or concurrently" },
  { phrase: /\bas a whole\b/i, use: "total, entire" },
  { phrase: /\bin turn\b/i, use: "in sequence, one after the other" },
  { phrase: /\b(?:anew|afresh)\b/i, use: "again" },
  { phrase: /\bwhom\b/i, use: "who" },
  { phrase: /\b(?:hence|thereby|therein|thereof|whence)\b/i, use: "so" },
  { phrase: /\bbeneath\b/i, use: "below" },
  { phrase: /\bbeside\b/i, use: "next to" },
  { phrase: /\bmend(?:s|ed|ing)?\b/i, use: "fix" },
  { phrase: /\btakes? in\b(?! (?:account|the order|order|turn))/i, use: "accepts, auto-assigns" },
  { phrase: /\bc(?:ame|omes?) by\b/i, use: "authenticated with, received" },
  { phrase: /\bst(?:ands?|ood) for\b/i, use: "means" },
  { phrase: /\bt(?:ells?|old|elling) of\b/i, use: "reports" },
  { phrase: /\bsp(?:eaks?|oke) of\b/i, use: "describes" },
  { phrase: /\bknows? of\b/i, use: "lists, has" },
  { phrase: /\bhears? of\b/i, use: "is notified of, receives" },
  { phrase: /\bnobody\b(?![@\w-])/i, use: "no user, none" },
  { phrase: /\bheard\b/i, use: "received" },
  { phrase: /\b(?:is|are|was|were|be|been) told\b/i, use: "is notified, gets an error" },
  { phrase: /\bleft alone\b/i, use: "paused, unchanged" },
  { phrase: /\bleft behind\b/i, use: "remaining" },
  { phrase: /\bobey(?:s|ed|ing)?\b/i, use: "apply, publish" },
  { phrase: /\bin words\b/i, use: "with a message" },
  { phrase: /\bwhat (?:it|they|calls?|a call|was) carr(?:y|ies|ied)\b/i, use: "payload" },
  { phrase: /\bwho asks\b/i, use: "the caller" },
  { phrase: /\bgoes on\b/i, use: "continues" },
  { phrase: /\bstands? in the way\b/i, use: "prevents" },
  { phrase: /\bfor ever\b/i, use: "forever" },
  { phrase: /\bset-up link\b/i, use: "setup link" },
  { phrase: /\b(?:behav|col|fav|hon|neighb)our(?:s|ed|ing|able)?\b/i, use: "the American spelling" },
  { phrase: /^(?:<{7}|>{7}) /, use: "the text that the merge should have" },
  // A digit, a space and a percent sign that is not the remainder operator.
  { phrase: /\d %(?![ ]*[\w(=])/, use: "15% without a space" },
];

const TEXT = /\.(?:tsx?|m?js|css|md|yml|txt|html)$/;

/** Generated files, data of third parties, and this list. */
const SKIPPED = [
  "openapi/types.ts",
  "openapi/constants.ts",
  "docs/guide/settings.md",
  "server/catalog/",
  "tooling/check-words.mjs",
  "tooling/check-words.test.ts",
];

/** The phrases of a text, each with its line. */
function findPhrases(path, text) {
  const rules = PHRASES.filter(({ except = [] }) => !except.some(({ prefix }) => path.startsWith(prefix)));
  return text.split("\n").flatMap((line, i) =>
    rules.flatMap(({ phrase, use }) => {
      const found = phrase.exec(line)?.[0];
      return found === undefined ? [] : [{ path, line: i + 1, found, use }];
    }),
  );
}

function trackedFiles(root) {
  const listed = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  const paths = listed.split("\0").filter((path) => TEXT.test(path));
  return paths.filter((path) => !SKIPPED.some((prefix) => path.startsWith(prefix)));
}

function readPhrases(root, path) {
  try {
    return findPhrases(path, readFileSync(join(root, path), "utf8"));
  } catch (error) {
    // Deleted, but not committed yet.
    if (error.code === "ENOENT") return [];
    throw error;
  }
}

const root = process.argv[2] ?? ".";
const findings = trackedFiles(root).flatMap((path) => readPhrases(root, path));
for (const { path, line, found, use } of findings) console.log(`${path}:${line}: "${found}" → ${use}`);
process.exitCode = findings.length === 0 ? 0 : 1;
