import { Button } from "@mantine/core";
import { IconPlus, IconPuzzle } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import type { Column } from "../../components/data-table.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { groupsColumn, nameColumn, statusColumn, updatedColumn } from "../records/publication.tsx";
import { PublicationList } from "../records/publication-list.tsx";
import { CreatePluginDialog } from "./create-plugin-dialog.tsx";
import { fetchPlugins, type Plugin, pluginsKey } from "./plugins.ts";
import "./plugins.css";

const route = getRouteApi("/plugins");

export function PluginsPage() {
  const api = useApi();
  const { changes } = useRights();
  const { q, status, add } = route.useSearch();
  const navigate = route.useNavigate();
  const filters = { q, status };
  const list = usePages([...pluginsKey, "list", filters], (cursor, signal) =>
    fetchPlugins(api, filters, cursor, signal),
  );
  const openAdd = (what: "plugin" | undefined) => void navigate({ search: (old) => ({ ...old, add: what }) });
  const addButton = changes && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => openAdd("plugin")}>
      Create plugin
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Plugins"
        description="A plugin bundles skills, commands, agents and MCP configuration. Members of its groups install it in Claude Code, Cursor and Codex from one marketplace."
        actions={addButton}
      />
      <PublicationList
        label="Plugins"
        icon={IconPuzzle}
        list={list}
        columns={COLUMNS}
        rowLink={({ slug }) => ({ to: "/plugins/$slug", params: { slug } })}
        filters={filters}
        onFilter={(change) => void navigate({ search: (old) => ({ ...old, ...change }), replace: true })}
        searched="names, slugs, and descriptions"
        empty="Create a plugin from your skills and commands. It is a draft until you publish it."
        actions={addButton}
      />
      <CreatePluginDialog opened={add === "plugin"} onClose={() => openAdd(undefined)} />
    </>
  );
}

const COLUMNS: ReadonlyArray<Column<Plugin>> = [
  nameColumn<Plugin>(({ slug, description }) => (description === "" ? slug : `${slug} · ${description}`)),
  statusColumn,
  {
    key: "version",
    header: "Version",
    width: "12rem",
    hideBelow: "md",
    render: ({ latest_version: version, has_unpublished_changes: isChanged }) =>
      version === null ? (
        <span className="gh-dim">Not published</span>
      ) : (
        <span className="gh-plugin-version">
          {version}
          {isChanged && <StatusPill tone="warn">Changed</StatusPill>}
        </span>
      ),
  },
  groupsColumn,
  updatedColumn,
];
