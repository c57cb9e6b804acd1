import { Note } from "../../components/note.tsx";
import type { Validation } from "./skills.ts";
import "./skills.css";

/** What a validation found. */
export function Findings({ validation: { errors, warnings, valid, name } }: { validation: Validation }) {
  return (
    <div className="gh-skill-findings" role="status">
      {valid && <Note tone="good">{`${name ?? "The skill"} can be imported.`}</Note>}
      {errors.length > 0 && <FindingList tone="bad" title="Errors" findings={errors} />}
      {warnings.length > 0 && <FindingList tone="warn" title="Warnings" findings={warnings} />}
    </div>
  );
}

interface FindingListProps {
  readonly tone: "bad" | "warn";
  readonly title: string;
  readonly findings: Validation["errors"];
}

function FindingList({ tone, title, findings }: FindingListProps) {
  return (
    <Note tone={tone}>
      <strong>{title}</strong>
      <ul>
        {findings.map(({ field, message }) => (
          <li key={`${field} ${message}`}>
            <code>{field}</code> {message}
          </li>
        ))}
      </ul>
    </Note>
  );
}
