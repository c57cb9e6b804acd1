import { Button, Group } from "@mantine/core";
import { useRights } from "../../api/context.tsx";
import type { Column } from "../../components/data-table.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { Choice } from "../../components/filter-bar.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import type { Tone } from "../../components/tone.ts";

/** Toolkits, skills, commands and plugins are drafts until an admin activates them. */
export type PublicationStatus = "active" | "draft";

const STATUSES: Readonly<Record<PublicationStatus, { readonly label: string; readonly tone: Tone }>> = {
  active: { label: "Active", tone: "good" },
  draft: { label: "Draft", tone: "quiet" },
};

export function PublicationPill({ status }: { status: PublicationStatus }) {
  return <StatusPill tone={STATUSES[status].tone}>{STATUSES[status].label}</StatusPill>;
}

interface ActivationProps {
  readonly status: PublicationStatus;
  readonly save: {
    mutate(body: { readonly status: PublicationStatus }): void;
    readonly isPending: boolean;
    readonly error: unknown;
  };
  /** False while something required is missing. */
  readonly canActivate?: boolean;
}

/** Drafts do not reach callers, so activating is the last step. */
export function Activation({ status, save, canActivate = true }: ActivationProps) {
  const { changes } = useRights();
  return (
    <Group gap="sm">
      {changes && status === "draft" && (
        <Button onClick={() => save.mutate({ status: "active" })} loading={save.isPending} disabled={!canActivate}>
          Activate
        </Button>
      )}
      {changes && status === "active" && (
        <Button variant="default" onClick={() => save.mutate({ status: "draft" })} loading={save.isPending}>
          Set to draft
        </Button>
      )}
      <ErrorNote error={save.error} />
    </Group>
  );
}

interface StatusFilterProps {
  readonly value: PublicationStatus | undefined;
  onChange(status: PublicationStatus | undefined): void;
}

export function StatusFilter({ value, onChange }: StatusFilterProps) {
  return (
    <Choice
      label="Status"
      any="Any status"
      value={value}
      options={[
        { value: "active", label: STATUSES.active.label },
        { value: "draft", label: STATUSES.draft.label },
      ]}
      onChange={onChange}
    />
  );
}

export function nameColumn<Row extends { readonly name: string }>(second: (row: Row) => string): Column<Row> {
  return {
    key: "name",
    header: "Name",
    render: (row) => (
      <span className="gh-two-lines">
        <span className="gh-truncate">{row.name}</span>
        <span className="gh-truncate">{second(row)}</span>
      </span>
    ),
  };
}

export const statusColumn: Column<{ readonly status: PublicationStatus }> = {
  key: "status",
  header: "Status",
  width: "8rem",
  narrowWidth: "6rem",
  render: ({ status }) => <PublicationPill status={status} />,
};

export const groupsColumn: Column<{ readonly groups: readonly string[] }> = {
  key: "groups",
  header: "Groups",
  width: "20%",
  hideBelow: "sm",
  render: ({ groups }) => <span className="gh-truncate">{groups.length === 0 ? "No groups" : groups.join(", ")}</span>,
};

export const updatedColumn: Column<{ readonly updated_at: string }> = {
  key: "updated",
  header: "Updated",
  width: "8rem",
  hideBelow: "md",
  render: ({ updated_at: at }) => <TimeAgo time={at} />,
};
