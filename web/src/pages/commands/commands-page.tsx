import { Button, Group } from "@mantine/core";
import { IconPlus, IconSlash, IconUpload } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import type { Column } from "../../components/data-table.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { groupsColumn, nameColumn, statusColumn, updatedColumn } from "../records/publication.tsx";
import { PublicationList } from "../records/publication-list.tsx";
import { type Command, commandsKey, fetchCommands } from "./commands.ts";
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
      <PublicationList
        label="Commands"
        icon={IconSlash}
        list={list}
        columns={COLUMNS}
        rowLink={({ slug }) => ({ to: "/commands/$slug", params: { slug } })}
        filters={filters}
        onFilter={(change) => void navigate({ search: (old) => ({ ...old, ...change }), replace: true })}
        searched="names, slugs, and descriptions"
        empty="Create a command, or import a file of Claude Code, Cursor or Gemini CLI. It is a draft until you activate it."
        actions={addButtons}
      />
      <CreateCommandDialog opened={add === "command"} onClose={() => openAdd(undefined)} />
      <ImportCommandDialog opened={add === "import"} onClose={() => openAdd(undefined)} />
    </>
  );
}

const COLUMNS: ReadonlyArray<Column<Command>> = [
  nameColumn<Command>(({ slug, description }) => `/${slug} · ${description}`),
  statusColumn,
  {
    key: "arguments",
    header: "Arguments",
    width: "20%",
    hideBelow: "md",
    render: ({ argument_hint: hint }) => <span className="gh-truncate">{hint || "None"}</span>,
  },
  groupsColumn,
  updatedColumn,
];
