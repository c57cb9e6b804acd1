import { useApi } from "../../api/context.tsx";
import { commandsKey } from "../commands/commands.ts";
import { PickSlugs } from "../records/pick-slugs.tsx";
import { useSaveToolkit } from "./save-toolkit.ts";
import type { Toolkit } from "./toolkits.ts";

const MOST_COMMANDS = 200;

/** Commands in the view of the toolkit. */
export function ToolkitCommands({ toolkit }: { toolkit: Toolkit }) {
  const api = useApi();
  const { mutate, ...save } = useSaveToolkit(toolkit);
  return (
    <PickSlugs
      title="Commands"
      description="MCP clients with the URL of the toolkit have these commands only, also if no group of the user has them."
      saved={toolkit.commands}
      queryKey={[...commandsKey, "names"]}
      find={async (signal) => {
        const { data } = await api.listCommands({ query: { fields: "slug", limit: MOST_COMMANDS }, signal });
        return data.flatMap(({ slug }) => slug ?? []);
      }}
      save={{ ...save, mutate: (commands, options) => mutate({ commands }, options) }}
    />
  );
}
