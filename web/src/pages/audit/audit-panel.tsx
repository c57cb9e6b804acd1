import { Drawer } from "@mantine/core";
import { CopyText } from "../../components/copy-text.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { type AuditEntry, differences, operationLabel } from "./audit.ts";
import "./audit.css";

const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "long" });

/** Details of one entry, next to the list. */
export function AuditPanel({ entry, onClose }: { entry: AuditEntry | undefined; onClose: () => void }) {
  return (
    <Drawer opened={entry !== undefined} onClose={onClose} title={entry && operationLabel(entry.operation)}>
      {entry && (
        <>
          <Section title="Change">
            <KeyValues
              items={[
                ["When", exact.format(new Date(entry.ts))],
                ["Who", `${entry.actor.name} (${entry.actor.type})`],
                ["IP address", entry.ip],
                ["Target", `${entry.target.name || entry.target.id} (${entry.target.type})`],
                ["Operation", <code key="operation">{entry.operation}</code>],
                ["Request ID", <CopyText key="id" value={entry.request_id} label="Copy request ID" />],
              ]}
            />
          </Section>
          <Section title="Changes">
            <Differences entry={entry} />
          </Section>
        </>
      )}
    </Drawer>
  );
}

function Differences({ entry }: { entry: AuditEntry }) {
  const changed = differences(entry);
  if (changed.length === 0)
    return <p className="gh-audit-none">No recorded values changed. Secrets are not recorded.</p>;
  return (
    <table className="gh-audit-table">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {changed.map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row">{field}</th>
            <td data-side="before">{before ?? "–"}</td>
            <td data-side="after">{after ?? "–"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
