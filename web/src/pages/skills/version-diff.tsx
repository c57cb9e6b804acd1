import { Note } from "../../components/note.tsx";
import { diffLines, withoutUnchanged } from "./line-diff.ts";
import type { SkillFile } from "./skills.ts";

interface VersionDiffProps {
  readonly before: readonly SkillFile[];
  readonly after: readonly SkillFile[];
}

/** The files that differ between two versions, line by line where they are text. */
export function VersionDiff({ before, after }: VersionDiffProps) {
  const paths = [...new Set([...before, ...after].map(({ path }) => path))];
  const changed = paths
    .map((path) => ({ path, old: find(before, path), now: find(after, path) }))
    .filter(({ old, now }) => old?.digest !== now?.digest || old?.executable !== now?.executable);
  if (changed.length === 0) return <Note>Both versions have the same files.</Note>;
  return changed.map((file) => <FileDiff key={file.path} {...file} />);
}

function find(files: readonly SkillFile[], path: string): SkillFile | undefined {
  return files.find((file) => file.path === path);
}

interface FileDiffProps {
  readonly path: string;
  readonly old: SkillFile | undefined;
  readonly now: SkillFile | undefined;
}

const SIGNS = { same: " ", added: "+", removed: "-" } as const;

function FileDiff({ path, old, now }: FileDiffProps) {
  const isText = (old ?? now)?.content != null && (now ?? old)?.content != null;
  const lines = withoutUnchanged(diffLines(old?.content ?? "", now?.content ?? ""));
  return (
    <section className="gh-skill-diff" aria-label={path}>
      <h3>
        <code>{path}</code> <span className="gh-dim">{describe(old, now)}</span>
      </h3>
      {isText && old?.digest !== now?.digest && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <pre tabIndex={0}>
          {lines.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity, and the list never changes
            <span key={at} data-kind={line?.kind ?? "omitted"}>
              {line ? `${SIGNS[line.kind]} ${line.text}` : "…"}
            </span>
          ))}
        </pre>
      )}
    </section>
  );
}

function describe(old: SkillFile | undefined, now: SkillFile | undefined): string {
  if (!old) return "added";
  if (!now) return "removed";
  if (old.digest !== now.digest) return "changed";
  return now.executable ? "is executable now" : "is no longer executable";
}
