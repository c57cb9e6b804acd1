import { Button, Group } from "@mantine/core";
import { IconBook2, IconPlus, IconUpload } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import type { Column } from "../../components/data-table.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { groupsColumn, nameColumn, statusColumn, updatedColumn } from "../records/publication.tsx";
import { PublicationList } from "../records/publication-list.tsx";
import { CreateSkillDialog } from "./create-skill-dialog.tsx";
import { ImportSkillDialog } from "./import-skill-dialog.tsx";
import { fetchSkills, type Skill, skillsKey } from "./skills.ts";

const route = getRouteApi("/skills");

export function SkillsPage() {
  const api = useApi();
  const { changes } = useRights();
  const { q, status, add } = route.useSearch();
  const navigate = route.useNavigate();
  const filters = { q, status };
  const list = usePages([...skillsKey, "list", filters], (cursor, signal) => fetchSkills(api, filters, cursor, signal));
  const openAdd = (what: "skill" | "import" | undefined) => void navigate({ search: (old) => ({ ...old, add: what }) });
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
      <PublicationList
        label="Skills"
        icon={IconBook2}
        list={list}
        columns={COLUMNS}
        rowLink={({ slug }) => ({ to: "/skills/$slug", params: { slug } })}
        filters={filters}
        onFilter={(change) => void navigate({ search: (old) => ({ ...old, ...change }), replace: true })}
        searched="names and descriptions"
        empty="Import a skill as a ZIP file, or paste a SKILL.md. It is a draft until you activate it."
        actions={addButtons}
      />
      <CreateSkillDialog opened={add === "skill"} onClose={() => openAdd(undefined)} />
      <ImportSkillDialog opened={add === "import"} onClose={() => openAdd(undefined)} />
    </>
  );
}

const COLUMNS: ReadonlyArray<Column<Skill>> = [
  nameColumn<Skill>(({ description }) => description),
  statusColumn,
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
  groupsColumn,
  updatedColumn,
];
