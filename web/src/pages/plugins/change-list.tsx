import { StatusPill } from "../../components/status-pill.tsx";
import type { Tone } from "../../components/tone.ts";

type Change = "added" | "changed" | "removed";

const CHANGES: Readonly<Record<Change, { readonly label: string; readonly tone: Tone }>> = {
  added: { label: "Added", tone: "good" },
  changed: { label: "Changed", tone: "warn" },
  removed: { label: "Removed", tone: "bad" },
};

interface ChangeListProps {
  readonly label: string;
  readonly files: readonly { readonly path: string; readonly change: Change }[];
}

/** Which files a release adds, changes and removes. */
export function ChangeList({ label, files }: ChangeListProps) {
  return (
    <ul className="gh-plugin-changes" aria-label={label}>
      {files.map(({ path, change }) => (
        <li key={path}>
          <StatusPill tone={CHANGES[change].tone}>{CHANGES[change].label}</StatusPill>
          <code>{path}</code>
        </li>
      ))}
    </ul>
  );
}
