import { IconBook2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useApi } from "../../api/context.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { UrlTabs } from "../../components/url-tabs.tsx";
import { Activation, PublicationPill } from "../records/publication.tsx";
import { RecordPage } from "../records/record-page.tsx";
import { useSaveSkill } from "./save-skill.ts";
import { SkillAccess } from "./skill-access.tsx";
import { SkillContent } from "./skill-content.tsx";
import { SkillFiles } from "./skill-files.tsx";
import { SkillSettings } from "./skill-settings.tsx";
import { SkillVersions } from "./skill-versions.tsx";
import { type SkillDetail, skillQuery } from "./skills.ts";
import "./skills.css";
import { ManagedArea, ManagedNote } from "../config/managed-note.tsx";

const route = getRouteApi("/skills/$slug");
const PARENT = { label: "Skills", to: "/skills" };

export function SkillPage() {
  const api = useApi();
  const { slug } = route.useParams();
  const query = useQuery(skillQuery(api, slug));
  return (
    <RecordPage query={query} slug={slug} parent={PARENT} icon={IconBook2} kind="Skill">
      {(skill) => (
        <ManagedArea kind="skills" name={skill.slug} key={skill.slug}>
          <Detail skill={skill} />
        </ManagedArea>
      )}
    </RecordPage>
  );
}

function Detail({ skill }: { skill: SkillDetail }) {
  const save = useSaveSkill(skill);
  const { tab = "content" } = route.useSearch();
  return (
    <>
      <PageHeader
        parent={PARENT}
        title={skill.name}
        description={skill.description}
        aside={<PublicationPill status={skill.status} />}
        actions={<Activation status={skill.status} save={save} />}
      />
      <ManagedNote kind="skills" name={skill.slug} />
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
      {tab === "content" && <SkillContent skill={skill} />}
      {tab === "files" && <SkillFiles skill={skill} />}
      {tab === "versions" && <SkillVersions skill={skill} />}
      {tab === "access" && <SkillAccess skill={skill} />}
      {tab === "settings" && <SkillSettings skill={skill} />}
    </>
  );
}
