import { z } from "zod";

const Words = z.object({
  kind: z.enum(["same", "removed", "added"]).describe("Whether these words are in both texts or in one"),
  text: z.string().describe("The text"),
});

export const Difference = z.object({
  field: z
    .string()
    .meta({ description: "Path of the changed part", example: "inputSchema.properties.path.description" }),
  before: z.string().nullable().describe("Accepted value: text as is, other values as JSON; null if absent"),
  after: z.string().nullable().describe("Current value in the same form; null if absent"),
  words: z.array(Words).optional().describe("Word-level difference, if both values are text"),
});
type Difference = z.input<typeof Difference>;
type Words = z.input<typeof Words>;

/** Of tools, then of prompts, resources, and instructions; see `sync/tool-digest.ts`. */
const PINNED = [
  ...["title", "description", "inputSchema", "outputSchema", "annotations"],
  ...["name", "arguments", "mimeType", "text"],
];
/** Changes with the content, and is not pinned. */
const NOT_PINNED = "annotations.lastModified";
/** Above this limit the middle of a text is reported as replaced, because the comparison would take too long. */
const MOST_COMPARISONS = 250_000;

/** GW-17: the differences between two definitions, which are JSON texts of objects. */
export function differencesBetween(before: string | null, after: string): Difference[] {
  const old = before === null ? new Map<string, Leaf>() : leavesOf(before);
  const now = leavesOf(after);
  const fields = new Set([...old.keys(), ...now.keys()]);
  return [...fields].flatMap((field) => {
    const [was, is] = [old.get(field), now.get(field)];
    if (was?.text === is?.text && was?.isText === is?.isText) return [];
    const words = was?.isText && is?.isText ? { words: wordsBetween(was.text, is.text) } : {};
    return [{ field, before: was?.text ?? null, after: is?.text ?? null, ...words }];
  });
}

interface Leaf {
  readonly text: string;
  readonly isText: boolean;
}

/** All scalars, arrays, and empty objects, by path. */
function leavesOf(definition: string): Map<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  const walk = (path: string, value: unknown): void => {
    if (path === NOT_PINNED) return;
    const isNested = typeof value === "object" && value !== null && !Array.isArray(value);
    const inner = isNested ? Object.entries(value) : [];
    if (inner.length > 0) for (const [key, each] of inner) walk(`${path}.${key}`, each);
    else if (typeof value === "string") leaves.set(path, { text: value, isText: true });
    else leaves.set(path, { text: JSON.stringify(value), isText: false });
  };
  // Stored definitions are JSON objects, written by the sync.
  const members = JSON.parse(definition) as Record<string, unknown>;
  for (const member of PINNED) if (members[member] !== undefined) walk(member, members[member]);
  return leaves;
}

/** A word-level diff: common words at both ends, and a minimal edit between them. */
export function wordsBetween(before: string, after: string): Words[] {
  const old = before.match(/\s+|\S+/g) ?? [];
  const now = after.match(/\s+|\S+/g) ?? [];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const middle = wordsOfMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end));
  const tail = old.slice(old.length - end);
  return joined([...alike("same", old.slice(0, start)), ...middle, ...alike("same", tail)]);
}

function alike(kind: Words["kind"], texts: readonly string[]): Words[] {
  return texts.map((text) => ({ kind, text }));
}

/** By the longest common subsequence. */
function wordsOfMiddle(old: readonly string[], now: readonly string[]): Words[] {
  if (old.length * now.length > MOST_COMPARISONS) return [...alike("removed", old), ...alike("added", now)];
  const common = commonLengths(old, now);
  const words: Words[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      words.push(...alike("same", old.slice(i, i + 1)));
      i++;
      j++;
    } else if (common(i + 1, j) >= common(i, j + 1)) words.push(...alike("removed", old.slice(i, ++i)));
    else words.push(...alike("added", now.slice(j, ++j)));
  }
  return [...words, ...alike("removed", old.slice(i)), ...alike("added", now.slice(j))];
}

/** Lengths of the longest common subsequences of the suffixes. */
function commonLengths(old: readonly string[], now: readonly string[]): (i: number, j: number) => number {
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      lengths[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  return at;
}

function joined(words: readonly Words[]): Words[] {
  const runs: Words[] = [];
  for (const { kind, text } of words) {
    const last = runs.at(-1);
    if (last?.kind === kind) last.text += text;
    else runs.push({ kind, text });
  }
  return runs;
}
