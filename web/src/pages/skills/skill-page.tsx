import { Button, Group, Skeleton } from "@mantine/core";
import { IconBook2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ApiError } from "../../api/client.ts";
import { useApi, useRights } from "../../api/context.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorNote, ErrorState } from "../../components/error-state.tsx";
import { LinkButton } from "../../components/links.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { UrlTabs } from "../../components/url-tabs.tsx";
import { useSaveSkill } from "./save-skill.ts";
import { SkillAccess } from "./skill-access.tsx";
import { SkillContent } from "./skill-content.tsx";
import { SkillFiles } from "./skill-files.tsx";
import { SkillSettings } from "./skill-settings.tsx";
import { SkillVersions } from "./skill-versions.tsx";
import { type SkillDetail, STATUSES, skillQuery } from "./skills.ts";
import "./skills.css";

const route = getRouteApi("/skills/$slug");
const PARENT = { label: "Skills", to: "/skills" };

export function SkillPage() {
  const api = useApi();
  const { slug } = route.useParams();
  const { data, error, refetch } = useQuery(skillQuery(api, slug));
  if (data) return <Detail skill={data} key={data.slug} />;
  if (error instanceof ApiError && error.status === 404) return <SkillNotFound slug={slug} />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <div aria-busy="true">
      <PageHeader parent={PARENT} title={slug} />
      <Skeleton height={320} mt="xl" />
    </div>
  );
}

function Detail({ skill }: { skill: SkillDetail }) {
  const { tab = "content" } = route.useSearch();
  return (
    <>
      <PageHeader
        parent={PARENT}
        title={skill.name}
        description={skill.description}
        actions={<Activation skill={skill} />}
      />
      <UrlTabs
        label="Skill"
        value={tab}
        tabs={[
          { value: "content", label: "Instructions" },
          { value: "files", label: `Files ${skill.files_count - 1}` },
          { value: "versions", label: `Versions ${skill.version}` },
          { value: "access", label: "Access" },
          { value: "settings", label: "Settings" },
        ]}
      />
      {tab === "content" && <SkillContent skill={skill} key={skill.version} />}
      {tab === "files" && <SkillFiles skill={skill} key={skill.version} />}
      {tab === "versions" && <SkillVersions skill={skill} />}
      {tab === "access" && <SkillAccess skill={skill} />}
      {tab === "settings" && <SkillSettings skill={skill} key={skill.version} />}
    </>
  );
}

/** Drafts do not reach callers, so activating is the last step. */
function Activation({ skill }: { skill: SkillDetail }) {
  const { changes } = useRights();
  const save = useSaveSkill(skill);
  const { tone, label } = STATUSES[skill.status];
  return (
    <Group gap="sm">
      <StatusPill tone={tone}>{label}</StatusPill>
      {changes && skill.status === "draft" && (
        <Button onClick={() => save.mutate({ status: "active" })} loading={save.isPending}>
          Activate
        </Button>
      )}
      {changes && skill.status === "active" && (
        <Button variant="default" onClick={() => save.mutate({ status: "draft" })} loading={save.isPending}>
          Make it a draft
        </Button>
      )}
      <ErrorNote error={save.error} />
    </Group>
  );
}

function SkillNotFound({ slug }: { slug: string }) {
  return (
    <EmptyState
      isPage
      icon={IconBook2}
      title="Skill not found"
      actions={
        <LinkButton to="/skills" variant="default">
          All skills
        </LinkButton>
      }
    >
      <title>Skill not found · Gatehouse</title>
      {`No skill has the name ${slug}. It may have been deleted.`}
    </EmptyState>
  );
}
