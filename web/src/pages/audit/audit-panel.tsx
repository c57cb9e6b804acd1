import { Drawer } from "@mantine/core";
import { CopyText } from "../../components/copy-text.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { type AuditEntry, differences, fieldLabel, kindLabel, operationLabel, targetWithKind } from "./audit.ts";
import "./audit.css";

const exact = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "long" });

/** Details of one entry, next to the list. */
export function AuditPanel({ entry, onClose }: { entry: AuditEntry | undefined; onClose: () => void }) {
  return (
    <Drawer opened={entry !== undefined} onClose={onClose} title={entry && operationLabel(entry.operation)}>
      {entry && (
        <>
          <Section title="Details">
            <KeyValues
              items={[
                ["Time", exact.format(new Date(entry.ts))],
                ["Actor", `${entry.actor.name} (${kindLabel(entry.actor.type)})`],
                ["IP address", entry.ip],
                ["Target", targetWithKind(entry.target)],
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
    <dl className="gh-audit-changes">
      {changed.map(({ field, before, after }) => (
        <div key={field}>
          <dt title={field}>{fieldLabel(field)}</dt>
          {before !== undefined && (
            <dd>
              <del>{before}</del>
            </dd>
          )}
          {after !== undefined && (
            <dd>
              <ins>{after}</ins>
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}
