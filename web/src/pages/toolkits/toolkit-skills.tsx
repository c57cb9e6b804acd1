import { Button, Group, MultiSelect, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi, useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { Section } from "../../components/section.tsx";
import { skillsKey } from "../skills/skills.ts";
import { useSaveToolkit } from "./save-toolkit.ts";
import type { Toolkit } from "./toolkits.ts";

const MOST_SKILLS = 200;

/** Skills in the view of the toolkit. */
export function ToolkitSkills({ toolkit }: { toolkit: Toolkit }) {
  const api = useApi();
  const { changes } = useRights();
  const [picked, setPicked] = useState<readonly string[]>(toolkit.skills);
  const save = useSaveToolkit(toolkit);
  const { data } = useQuery({
    queryKey: [...skillsKey, "names"],
    queryFn: ({ signal }) => api.listSkills({ query: { fields: "slug", limit: MOST_SKILLS }, signal }),
  });
  const known = (data?.data ?? []).flatMap(({ slug }) => slug ?? []);
  const isDirty = picked.join() !== toolkit.skills.join();
  return (
    <Section
      title="Skills"
      description="MCP clients with the URL of the toolkit have these skills only, also if no group of the user has them."
    >
      <Stack gap="sm" maw={560}>
        <MultiSelect
          label="Skills"
          data={[...new Set([...known, ...toolkit.skills])]}
          value={[...picked]}
          onChange={setPicked}
          disabled={!changes}
          searchable
          nothingFoundMessage="No other skills"
        />
        <ErrorNote error={save.error} />
        {changes && (
          <Group>
            <Button onClick={() => save.mutate({ skills: picked })} loading={save.isPending} disabled={!isDirty}>
              Save skills
            </Button>
          </Group>
        )}
      </Stack>
    </Section>
  );
}
