import { Button, Collapse, Group, Skeleton, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconBooks, IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Schemas } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { CopyField } from "../../components/copy-field.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { LinkButton } from "../../components/links.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { InstallLines } from "../skills/install-lines.tsx";
import { skillsKey } from "../skills/skills.ts";
import "../skills/skills.css";

const route = getRouteApi("/library");

/** What the organization gives the signed-in person besides tools. */
export function LibraryPage() {
  const api = useApi();
  const { q } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery({
    queryKey: [...skillsKey, "mine"],
    queryFn: async ({ signal }) => (await api.listMySkills({ signal })).data,
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const text = q?.toLowerCase() ?? "";
  const found = data?.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(text));
  return (
    <>
      <PageHeader
        title="Your library"
        description="Skills of your groups. MCP clients that read resources get them automatically; for others, install them as files."
      />
      {data && data.length > 0 && (
        <FilterBar>
          <SearchField
            label="Search skills"
            value={q}
            onChange={(next) => void navigate({ search: { q: next }, replace: true })}
          />
        </FilterBar>
      )}
      {!found && <Skeleton height={240} />}
      {found?.length === 0 && (
        <EmptyState
          icon={IconBooks}
          title={data?.length === 0 ? "No skills yet" : "No matching skills"}
          actions={
            <LinkButton to="/setup" variant="default">
              Connect a client
            </LinkButton>
          }
        >
          {data?.length === 0
            ? "Your admins have not shared skills with your groups yet."
            : "The search covers names and descriptions."}
        </EmptyState>
      )}
      <ul className="gh-library">
        {found?.map((skill) => (
          <LibrarySkill key={skill.slug} skill={skill} />
        ))}
      </ul>
    </>
  );
}

function LibrarySkill({ skill }: { skill: Schemas["UsableSkill"] }) {
  const { slug, name, description, uri, version } = skill;
  const [isOpen, { toggle }] = useDisclosure();
  return (
    <li className="gh-library-item">
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <div>
          <h2>{name}</h2>
          <Text size="sm">{description}</Text>
          <Text size="sm" c="dimmed">{`Version ${version}`}</Text>
        </div>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconDownload size={14} />}
          aria-expanded={isOpen}
          aria-label={`Install ${name}`}
          onClick={toggle}
        >
          Install
        </Button>
      </Group>
      <Collapse expanded={isOpen}>
        <Group gap="sm" py="sm">
          <CopyField value={uri} label={`URI of ${name}`} />
        </Group>
        <InstallLines slug={slug} />
      </Collapse>
    </li>
  );
}
