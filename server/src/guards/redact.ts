import type { Edit } from "#lib/json/splice";
import type { CompiledGuard } from "./compile.ts";
import type { Redaction } from "./evaluation.ts";
import type { RawFinding } from "./findings.ts";

interface Span extends RawFinding {
  readonly bytes: { readonly start: number; readonly end: number };
}

/** Turns findings into edits of the message. Nothing outside of the spans changes. */
export function redact(
  guards: readonly CompiledGuard[],
  byGuard: ReadonlyMap<number, readonly RawFinding[]>,
): { readonly redactions: readonly Redaction[]; readonly edits: readonly Edit[] } {
  const slugs = new Map(guards.map(({ index, definition }) => [index, definition.slug]));
  const spans = guards.flatMap(({ index }) => (byGuard.get(index) ?? []).filter(hasBytes));
  const merged = mergeSpans(spans);
  const keys = new Map<readonly string[], Set<string>>();
  const redactions = merged.map((span) => {
    const replacement = span.siblings === undefined ? span.replacement : uniqueKey(span, span.siblings, keys);
    const { path, start, end } = span;
    return { guard: slugs.get(span.guard) ?? "", path, start, end, replacement };
  });
  const edits = merged.map(({ bytes }, at) => ({
    start: bytes.start,
    end: bytes.end,
    // Inside a JSON string, so without the quotes around it.
    text: JSON.stringify(redactions[at]?.replacement ?? "").slice(1, -1),
  }));
  return { redactions, edits };
}

function hasBytes(finding: RawFinding): finding is Span {
  return finding.bytes !== undefined;
}

/** Sorted by position. Spans that overlap become one, with the replacement of the longest. */
function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  let longest = 0;
  for (const span of spans.toSorted(
    (one, other) => one.bytes.start - other.bytes.start || length(other) - length(one),
  )) {
    const last = merged.at(-1);
    if (last === undefined || span.bytes.start >= last.bytes.end) {
      merged.push(span);
      longest = length(span);
      continue;
    }
    const winner = length(span) > longest ? span : last;
    longest = Math.max(longest, length(span));
    merged[merged.length - 1] = {
      ...winner,
      start: last.start,
      end: Math.max(last.end, span.end),
      bytes: { start: last.bytes.start, end: Math.max(last.bytes.end, span.bytes.end) },
    };
  }
  return merged;
}

function length({ bytes }: Span): number {
  return bytes.end - bytes.start;
}

/** Two redacted keys of one object must not become equal, because a duplicate key makes the object ambiguous. */
function uniqueKey(span: Span, siblings: readonly string[], taken: Map<readonly string[], Set<string>>): string {
  let used = taken.get(siblings);
  if (used === undefined) {
    used = new Set(siblings);
    taken.set(siblings, used);
  }
  let candidate = span.replacement;
  for (let count = 2; used.has(candidate); count++) candidate = `${span.replacement}-${count}`;
  used.add(candidate);
  return candidate;
}
