import { Box, Select, Switch, TagsInput, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { Note } from "../../components/note.tsx";
import { Section } from "../../components/section.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { commandsKey } from "../commands/commands.ts";
import { PickSlugs } from "../records/pick-slugs.tsx";
import { SettingsFields } from "../records/settings-fields.tsx";
import { skillsKey } from "../skills/skills.ts";
import { toolkitsKey } from "../toolkits/toolkits.ts";
import { PluginAgents } from "./plugin-agents.tsx";
import type { Plugin } from "./plugins.ts";
import { useSavePlugin } from "./save-plugin.ts";

const MOST = 200;

export function PluginContents({ plugin }: { plugin: Plugin }) {
  const api = useApi();
  const { mutate, ...save } = useSavePlugin(plugin);
  return (
    <>
      {plugin.latest_version !== null && (
        <Box mb="lg">
          <Note tone="info">Members get changes of the contents with the next release.</Note>
        </Box>
      )}
      <PickSlugs
        title="Skills"
        description="Publishing copies them as they are at that time. Drafts are allowed."
        saved={plugin.skills}
        queryKey={[...skillsKey, "names"]}
        find={async (signal) => {
          const { data } = await api.listSkills({ query: { fields: "slug", limit: MOST }, signal });
          return data.flatMap(({ slug }) => slug ?? []);
        }}
        save={{ ...save, mutate: (skills, options) => mutate({ skills }, options) }}
      />
      <PickSlugs
        title="Commands"
        description="Claude Code and Cursor show them as slash commands. Codex has none in plugins."
        saved={plugin.commands}
        queryKey={[...commandsKey, "names"]}
        find={async (signal) => {
          const { data } = await api.listCommands({ query: { fields: "slug", limit: MOST }, signal });
          return data.flatMap(({ slug }) => slug ?? []);
        }}
        save={{ ...save, mutate: (commands, options) => mutate({ commands }, options) }}
      />
      <PluginAgents plugin={plugin} />
      <Mcp plugin={plugin} key={JSON.stringify(plugin.mcp)} />
    </>
  );
}

function Mcp({ plugin }: { plugin: Plugin }) {
  const api = useApi();
  const save = useSavePlugin(plugin);
  const { data: toolkits = [] } = useQuery({
    queryKey: [...toolkitsKey, "names"],
    queryFn: async ({ signal }) => {
      const { data } = await api.listToolkits({ query: { fields: "slug", limit: MOST }, signal });
      return data.flatMap(({ slug }) => slug ?? []);
    },
  });
  const serverForm = useServerForm({
    initial: { ...plugin.mcp, servers: [...plugin.mcp.servers] },
    fieldOf: (field) => field.replace(/^mcp\./, ""),
    submit: (mcp) => save.mutateAsync({ mcp }),
  });
  const { form } = serverForm;
  const isIncluded = form.values.include_gateway;
  return (
    <Section
      title="MCP configuration"
      description="Clients connect to the gateway with the user's access key, which the plugin never contains."
    >
      <SettingsFields form={serverForm}>
        <Switch label="Configure the gateway" {...form.getInputProps("include_gateway", { type: "checkbox" })} />
        {isIncluded && (
          <>
            <TextInput
              label="Name in the client"
              description="The prefix of its tools"
              {...form.getInputProps("server_name")}
            />
            <Select
              label="Toolkit"
              description="Empty: everything that the user can reach"
              data={[...new Set([...toolkits, ...(plugin.mcp.toolkit === null ? [] : [plugin.mcp.toolkit])])]}
              clearable
              searchable
              {...form.getInputProps("toolkit")}
            />
          </>
        )}
        <TagsInput
          label="Separate servers"
          description="Slugs of servers that clients get in addition to the gateway"
          {...form.getInputProps("servers")}
        />
      </SettingsFields>
    </Section>
  );
}
