import { Button, Switch } from "@mantine/core";
import { IconPlus, IconShieldCheck } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Choice, FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { notifyFailure } from "../../components/notify.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { CreateGuardDialog } from "./create-guard-dialog.tsx";
import { actionLabel, fetchGuards, type Guard, guardsKey, scopeText, TYPES } from "./guards.ts";
import { useSaveGuard } from "./save-guard.ts";

const route = getRouteApi("/guards");

export function GuardsPage() {
  const api = useApi();
  const { changes } = useRights();
  const { q, type, enabled, add } = route.useSearch();
  const navigate = route.useNavigate();
  const filters = { q, type, enabled };
  const list = usePages([...guardsKey, "list", filters], (cursor, signal) => fetchGuards(api, filters, cursor, signal));
  const filter = (patch: Partial<typeof filters>) =>
    void navigate({ search: (old) => ({ ...old, ...patch }), replace: true });
  const openAdd = (what: "guard" | undefined) => void navigate({ search: (old) => ({ ...old, add: what }) });
  return (
    <>
      <PageHeader
        title="Guards"
        description="Guards examine what goes to tools and what comes back, and block, redact, or report what they find. Built-in guards are off until you turn them on."
        actions={
          changes && (
            <Button leftSection={<IconPlus size={16} />} onClick={() => openAdd("guard")}>
              Create guard
            </Button>
          )
        }
      />
      <FilterBar>
        <SearchField label="Search guards" value={q} onChange={(next) => filter({ q: next })} />
        <Choice
          label="Examines"
          any="Calls and content"
          value={type}
          options={[
            { value: "runtime", label: "Calls" },
            { value: "buildtime", label: "Content" },
          ]}
          onChange={(next) => filter({ type: next })}
        />
        <Choice
          label="State"
          any="On and off"
          value={enabled}
          options={[
            { value: "yes", label: "On" },
            { value: "no", label: "Off" },
          ]}
          onChange={(next) => filter({ enabled: next })}
        />
      </FilterBar>
      <DataTable
        label="Guards"
        list={list}
        columns={COLUMNS}
        rowKey={({ slug }) => slug}
        rowLink={({ slug }) => ({ to: "/guards/$slug", params: { slug } })}
        empty={
          <EmptyState icon={IconShieldCheck} title="No matching guards">
            The search covers names and descriptions.
          </EmptyState>
        }
      />
      <CreateGuardDialog opened={add === "guard"} onClose={() => openAdd(undefined)} />
    </>
  );
}

/** Takes effect immediately. */
function EnabledSwitch({ guard }: { guard: Guard }) {
  const { changes } = useRights();
  const save = useSaveGuard(guard.slug);
  return (
    <Switch
      className="gh-above-row"
      aria-label={`Turn on ${guard.name}`}
      checked={guard.enabled}
      disabled={!changes || save.isPending}
      onChange={(event) => save.mutate({ enabled: event.currentTarget.checked }, { onError: notifyFailure })}
    />
  );
}

const COLUMNS: ReadonlyArray<Column<Guard>> = [
  {
    key: "name",
    header: "Name",
    render: ({ name, description }) => (
      <span className="gh-two-lines">
        <span className="gh-truncate">{name}</span>
        <span className="gh-truncate">{description}</span>
      </span>
    ),
  },
  {
    key: "enabled",
    header: "On",
    width: "4.5rem",
    narrowWidth: "4rem",
    render: (guard) => <EnabledSwitch guard={guard} />,
  },
  {
    key: "action",
    header: "Action",
    width: "8rem",
    narrowWidth: "6rem",
    render: ({ action }) => <StatusPill tone={actionLabel(action).tone}>{actionLabel(action).label}</StatusPill>,
  },
  {
    key: "threshold",
    header: "Threshold",
    width: "6.5rem",
    align: "right",
    hideBelow: "sm",
    render: ({ threshold }) => `${threshold} of 10`,
  },
  { key: "type", header: "Examines", width: "8rem", hideBelow: "md", render: ({ type }) => TYPES[type] },
  {
    key: "scope",
    header: "Scope",
    width: "18%",
    hideBelow: "md",
    render: (guard) => <span className="gh-truncate gh-dim">{scopeText(guard)}</span>,
  },
];
