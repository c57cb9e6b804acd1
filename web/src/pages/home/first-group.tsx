import { Button, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useApi, useMe } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { TextLink } from "../../components/links.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { groupsKey } from "../groups/groups.ts";
import { serversKey } from "../mcp-servers/servers.ts";
import { firstRunKey } from "./progress.ts";

/** Creates a group with all servers and the current user. */
export function FirstGroup({ slugs }: { slugs: readonly string[] }) {
  const api = useApi();
  const queries = useQueryClient();
  const { data: me } = useMe();
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: { name: "Pilot" },
    validate: ({ name }): { name?: string } => (name.trim() === "" ? { name: "Enter a name" } : {}),
    submit: async (values) => {
      const { data } = await api.createGroup({ body: { name: values.name.trim() } });
      const path = { name: data.name };
      await api.addIntegrationsToGroup({ path, body: { slugs: [...slugs] } });
      await api.addUsersToGroup({ path, body: { emails: [me.email ?? ""] } }); // users with a web session always have an email
      await Promise.all(
        [groupsKey, serversKey, firstRunKey].map((queryKey) => queries.invalidateQueries({ queryKey })),
      );
    },
  });
  return (
    <>
      <p>
        A group gives its members access to its servers. This group will contain{" "}
        {slugs.length === 1 ? "your server" : "your servers"} and you. You can change it later in{" "}
        <TextLink to="/groups" inherit>
          Groups
        </TextLink>
        .
      </p>
      <form onSubmit={onSubmit} noValidate className="gh-step-form">
        <TextInput size="xs" aria-label="Group name" {...form.getInputProps("name")} />
        <Button size="xs" type="submit" loading={isWorking}>
          Create group
        </Button>
      </form>
      <ErrorNote error={error} />
    </>
  );
}
