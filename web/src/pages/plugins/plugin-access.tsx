import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { Note } from "../../components/note.tsx";
import { Section } from "../../components/section.tsx";
import { GroupsOf } from "../groups/groups-of.tsx";
import { MarketplaceLines } from "./marketplace-lines.tsx";
import { type Plugin, pluginsKey } from "./plugins.ts";
import { useSavePlugin } from "./save-plugin.ts";

export function PluginAccess({ plugin }: { plugin: Plugin }) {
  const api = useApi();
  const save = useSavePlugin(plugin);
  const { data, error } = useQuery({
    queryKey: [...pluginsKey, "marketplace"],
    queryFn: async ({ signal }) => (await api.getPluginMarketplace({ signal })).data,
  });
  return (
    <>
      <GroupsOf
        groups={plugin.groups}
        description="Members of these groups can install the plugin."
        tab="plugins"
        save={save}
      />
      <Section
        title="Marketplace"
        description="One marketplace has all plugins of a member. Members find these lines in their library."
      >
        <Stack gap="sm">
          {plugin.status === "draft" && <Note tone="info">Members get the plugin when it is published.</Note>}
          <ErrorNote error={error} />
          {data && <MarketplaceLines marketplace={data} />}
        </Stack>
      </Section>
    </>
  );
}
