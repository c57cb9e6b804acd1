import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconHistory } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { notifyDone } from "../../components/notify.tsx";
import { Section } from "../../components/section.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { bytes } from "../logs/call-labels.ts";
import { type SkillDetail, type SkillVersion, skillQuery, skillsKey } from "./skills.ts";
import { VersionDiff } from "./version-diff.tsx";

const route = getRouteApi("/skills/$slug");

export function SkillVersions({ skill }: { skill: SkillDetail }) {
  const api = useApi();
  const { version } = route.useSearch();
  const selected = Number(version ?? Number.NaN);
  const { slug } = skill;
  const list = usePages([...skillsKey, "versions", slug], (cursor, signal) =>
    api.listSkillVersions({ path: { slug }, query: { cursor, limit: 100 }, signal }),
  );
  return (
    <>
      <DataTable
        label="Versions"
        list={list}
        columns={COLUMNS}
        rowKey={(row) => String(row.version)}
        rowLink={(row) => ({
          to: "/skills/$slug",
          params: { slug },
          search: { tab: "versions", version: String(row.version) },
        })}
        empty={
          <EmptyState icon={IconHistory} title="No versions">
            Every change of the content makes a version.
          </EmptyState>
        }
      />
      {Number.isInteger(selected) && selected !== skill.version && (
        <Compare skill={skill} version={selected} key={selected} />
      )}
    </>
  );
}

function Compare({ skill, version }: { skill: SkillDetail; version: number }) {
  const api = useApi();
  const { changes } = useRights();
  const { data, error, refetch } = useQuery(skillQuery(api, skill.slug, version));
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <Section
      title={`Changes from version ${version} to ${skill.version}`}
      actions={changes && <Restore slug={skill.slug} version={version} />}
    >
      {data && <VersionDiff before={data.files} after={skill.files} />}
    </Section>
  );
}

function Restore({ slug, version }: { slug: string; version: number }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = route.useNavigate();
  const [isOpen, dialog] = useDisclosure();
  const restore = useMutation({
    mutationFn: () => api.rollbackSkill({ path: { slug }, body: { version } }),
    onSuccess: async () => {
      dialog.close();
      notifyDone(`Restored version ${version}`);
      await navigate({ search: { tab: "versions" } });
      await queries.invalidateQueries({ queryKey: skillsKey });
    },
  });
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        Restore this version
      </Button>
      <ConfirmDialog
        opened={isOpen}
        title={`Restore version ${version}?`}
        action="Restore version"
        isWorking={restore.isPending}
        error={restore.error}
        onConfirm={() => restore.mutate()}
        onClose={dialog.close}
      >
        Its content becomes a new version. The versions in between stay.
      </ConfirmDialog>
    </>
  );
}

const SOURCES = {
  upload: "Imported",
  discovery: "Imported from a device",
  paste: "Pasted",
  rollback: "Restored",
} as const;

const COLUMNS: ReadonlyArray<Column<SkillVersion>> = [
  {
    key: "version",
    header: "Version",
    render: ({ version, version_label: label, description }) => (
      <span className="gh-two-lines">
        <span>{label === null ? `Version ${version}` : `Version ${version} (${label})`}</span>
        <span className="gh-truncate">{description}</span>
      </span>
    ),
  },
  {
    key: "current",
    header: "Status",
    width: "7rem",
    render: ({ current }) => (current ? <StatusPill tone="good">Current</StatusPill> : null),
  },
  {
    key: "source",
    header: "Source",
    width: "7rem",
    hideBelow: "md",
    render: ({ source }) => <span className="gh-dim">{source === null ? "Edited" : SOURCES[source.type]}</span>,
  },
  {
    key: "size",
    header: "Size",
    width: "6rem",
    align: "right",
    hideBelow: "md",
    render: ({ size_bytes: size }) => bytes(size),
  },
  {
    key: "by",
    header: "Created by",
    width: "18%",
    hideBelow: "sm",
    render: ({ created_by: by }) => <span className="gh-truncate">{by}</span>,
  },
  {
    key: "at",
    header: "Created",
    width: "8rem",
    narrowWidth: "6rem",
    render: ({ created_at: at }) => <TimeAgo time={at} />,
  },
];
