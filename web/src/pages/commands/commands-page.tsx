import { Button, Group } from "@mantine/core";
import { IconPlus, IconSlash, IconUpload } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Choice, FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { type Command, commandsKey, fetchCommands, STATUSES } from "./commands.ts";
import { CreateCommandDialog } from "./create-command-dialog.tsx";
import { ImportCommandDialog } from "./import-command-dialog.tsx";

const route = getRouteApi("/commands");

export function CommandsPage() {
  const api = useApi();
  const { changes } = useRights();
  const { q, status, add } = route.useSearch();
  const navigate = route.useNavigate();
  const filters = { q, status };
  const list = usePages([...commandsKey, "list", filters], (cursor, signal) =>
    fetchCommands(api, filters, cursor, signal),
  );
  const openAdd = (what: "command" | "import" | undefined) =>
    void navigate({ search: (old) => ({ ...old, add: what }) });
  const isFiltered = q !== undefined || status !== undefined;
  const addButtons = changes && (
    <Group gap="xs">
      <Button variant="default" leftSection={<IconUpload size={16} />} onClick={() => openAdd("import")}>
        Import command
      </Button>
      <Button leftSection={<IconPlus size={16} />} onClick={() => openAdd("command")}>
        Create command
      </Button>
    </Group>
  );
  return (
    <>
      <PageHeader
        title="Commands"
        description="A command is a reusable prompt with arguments. Members of its groups find it in their MCP clients, usually as a slash command."
        actions={addButtons}
      />
      <FilterBar>
        <SearchField
          label="Search commands"
          value={q}
          onChange={(next) => void navigate({ search: (old) => ({ ...old, q: next }), replace: true })}
        />
        <Choice
          label="Status"
          any="Any status"
          value={status}
          options={[
            { value: "active", label: "Active" },
            { value: "draft", label: "Draft" },
          ]}
          onChange={(next) => void navigate({ search: (old) => ({ ...old, status: next }), replace: true })}
        />
      </FilterBar>
      <DataTable
        label="Commands"
        list={list}
        columns={COLUMNS}
        rowKey={({ slug }) => slug}
        rowLink={({ slug }) => ({ to: "/commands/$slug", params: { slug } })}
        empty={
          isFiltered ? (
            <EmptyState
              icon={IconSlash}
              title="No matching commands"
              actions={
                <Button variant="default" onClick={() => void navigate({ search: {} })}>
                  Clear filters
                </Button>
              }
            >
              The search covers names, slugs and descriptions.
            </EmptyState>
          ) : (
            <EmptyState icon={IconSlash} title="No commands yet" actions={addButtons}>
              Create a command, or import a file of Claude Code or Cursor. It is a draft until you activate it.
            </EmptyState>
          )
        }
      />
      <CreateCommandDialog opened={add === "command"} onClose={() => openAdd(undefined)} />
      <ImportCommandDialog opened={add === "import"} onClose={() => openAdd(undefined)} />
    </>
  );
}

const COLUMNS: ReadonlyArray<Column<Command>> = [
  {
    key: "name",
    header: "Name",
    render: ({ name, slug, description }) => (
      <span className="gh-two-lines">
        <span className="gh-truncate">{name}</span>
        <span className="gh-truncate">{`/${slug} · ${description}`}</span>
      </span>
    ),
  },
  {
    key: "status",
    header: "Status",
    width: "8rem",
    narrowWidth: "6rem",
    render: ({ status }) => <StatusPill tone={STATUSES[status].tone}>{STATUSES[status].label}</StatusPill>,
  },
  {
    key: "arguments",
    header: "Arguments",
    width: "20%",
    hideBelow: "md",
    render: ({ argument_hint: hint }) => <span className="gh-truncate">{hint || "None"}</span>,
  },
  {
    key: "groups",
    header: "Groups",
    width: "20%",
    hideBelow: "sm",
    render: ({ groups }) => (
      <span className="gh-truncate">{groups.length === 0 ? "No groups" : groups.join(", ")}</span>
    ),
  },
  {
    key: "updated",
    header: "Updated",
    width: "8rem",
    hideBelow: "md",
    render: ({ updated_at: at }) => <TimeAgo time={at} />,
  },
];
