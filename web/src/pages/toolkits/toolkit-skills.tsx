import { useApi } from "../../api/context.tsx";
import { PickSlugs } from "../records/pick-slugs.tsx";
import { skillsKey } from "../skills/skills.ts";
import { useSaveToolkit } from "./save-toolkit.ts";
import type { Toolkit } from "./toolkits.ts";

const MOST_SKILLS = 200;

/** Skills in the view of the toolkit. */
export function ToolkitSkills({ toolkit }: { toolkit: Toolkit }) {
  const api = useApi();
  const { mutate, ...save } = useSaveToolkit(toolkit);
  return (
    <PickSlugs
      title="Skills"
      description="MCP clients with the URL of the toolkit have these skills only, also if no group of the user has them."
      saved={toolkit.skills}
      queryKey={[...skillsKey, "names"]}
      find={async (signal) => {
        const { data } = await api.listSkills({ query: { fields: "slug", limit: MOST_SKILLS }, signal });
        return data.flatMap(({ slug }) => slug ?? []);
      }}
      save={{ ...save, mutate: (skills, options) => mutate({ skills }, options) }}
    />
  );
}
