import { Button, Group, MultiSelect, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi, useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { Section } from "../../components/section.tsx";
import { commandsKey } from "../commands/commands.ts";
import { useSaveToolkit } from "./save-toolkit.ts";
import type { Toolkit } from "./toolkits.ts";

const MOST_COMMANDS = 200;

/** Commands in the view of the toolkit. */
export function ToolkitCommands({ toolkit }: { toolkit: Toolkit }) {
  const api = useApi();
  const { changes } = useRights();
  const [picked, setPicked] = useState<readonly string[]>(toolkit.commands);
  const save = useSaveToolkit(toolkit);
  const { data } = useQuery({
    queryKey: [...commandsKey, "names"],
    queryFn: ({ signal }) => api.listCommands({ query: { fields: "slug", limit: MOST_COMMANDS }, signal }),
  });
  const known = (data?.data ?? []).flatMap(({ slug }) => slug ?? []);
  const isDirty = picked.join() !== toolkit.commands.join();
  return (
    <Section
      title="Commands"
      description="MCP clients with the URL of the toolkit have these commands only, also if no group of the user has them."
    >
      <Stack gap="sm" maw={560}>
        <MultiSelect
          label="Commands"
          data={[...new Set([...known, ...toolkit.commands])]}
          value={[...picked]}
          onChange={setPicked}
          disabled={!changes}
          searchable
          nothingFoundMessage="No other commands"
        />
        <ErrorNote error={save.error} />
        {changes && (
          <Group>
            <Button onClick={() => save.mutate({ commands: picked })} loading={save.isPending} disabled={!isDirty}>
              Save commands
            </Button>
          </Group>
        )}
      </Stack>
    </Section>
  );
}
