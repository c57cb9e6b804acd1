import { Button, Group } from "@mantine/core";
import { IconBook2, IconPlus, IconUpload } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Choice, FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { CreateSkillDialog } from "./create-skill-dialog.tsx";
import { ImportSkillDialog } from "./import-skill-dialog.tsx";
import { fetchSkills, type Skill, STATUSES, skillsKey } from "./skills.ts";

const route = getRouteApi("/skills");

export function SkillsPage() {
  const api = useApi();
  const { changes } = useRights();
  const { q, status, add } = route.useSearch();
  const navigate = route.useNavigate();
  const filters = { q, status };
  const list = usePages([...skillsKey, "list", filters], (cursor, signal) => fetchSkills(api, filters, cursor, signal));
  const openAdd = (what: "skill" | "import" | undefined) => void navigate({ search: (old) => ({ ...old, add: what }) });
  const isFiltered = q !== undefined || status !== undefined;
  const addButtons = changes && (
    <Group gap="xs">
      <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => openAdd("skill")}>
        Create skill
      </Button>
      <Button leftSection={<IconUpload size={16} />} onClick={() => openAdd("import")}>
        Import skill
      </Button>
    </Group>
  );
  return (
    <>
      <PageHeader
        title="Skills"
        description="A skill teaches models how to do a task: instructions with scripts and other files. Members of its groups get it in their MCP clients."
        actions={addButtons}
      />
      <FilterBar>
        <SearchField
          label="Search skills"
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
        label="Skills"
        list={list}
        columns={COLUMNS}
        rowKey={({ slug }) => slug}
        rowLink={({ slug }) => ({ to: "/skills/$slug", params: { slug } })}
        empty={
          isFiltered ? (
            <EmptyState
              icon={IconBook2}
              title="No matching skills"
              actions={
                <Button variant="default" onClick={() => void navigate({ search: {} })}>
                  Clear filters
                </Button>
              }
            >
              The search covers names and descriptions.
            </EmptyState>
          ) : (
            <EmptyState icon={IconBook2} title="No skills yet" actions={addButtons}>
              Import a skill as a ZIP file, or paste a SKILL.md. It is a draft until you activate it.
            </EmptyState>
          )
        }
      />
      <CreateSkillDialog opened={add === "skill"} onClose={() => openAdd(undefined)} />
      <ImportSkillDialog opened={add === "import"} onClose={() => openAdd(undefined)} />
    </>
  );
}

const COLUMNS: ReadonlyArray<Column<Skill>> = [
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
    key: "status",
    header: "Status",
    width: "8rem",
    narrowWidth: "6rem",
    render: ({ status }) => <StatusPill tone={STATUSES[status].tone}>{STATUSES[status].label}</StatusPill>,
  },
  {
    key: "version",
    header: "Version",
    width: "6rem",
    align: "right",
    hideBelow: "sm",
    render: ({ version }) => version,
  },
  {
    key: "files",
    header: "Files",
    width: "5rem",
    align: "right",
    hideBelow: "md",
    render: ({ files_count: count }) => count,
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
