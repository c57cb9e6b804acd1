import { Button, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useApi, useMe } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { TextLink } from "../../components/links.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { groupsKey } from "../groups/groups.ts";
import { joinGroups } from "../groups/membership.ts";
import type { IssuedKey } from "../machine-users/new-access-key.tsx";
import { usersKey } from "../users/users.ts";
import { firstRunKey } from "./progress.ts";

interface FirstMachineProps {
  readonly group: string | undefined;
  onIssued(key: IssuedKey): void;
}

/** Creates a machine user in the group of the previous step. */
export function FirstMachine({ group, onIssued }: FirstMachineProps) {
  const api = useApi();
  const queries = useQueryClient();
  const { data: me } = useMe();
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: { name: "First agent" },
    validate: ({ name }): { name?: string } => (name.trim() === "" ? { name: "Enter a name" } : {}),
    submit: async ({ name }) => {
      const { data, credentials } = await api.createUser({
        body: { is_machine_user: true, name: name.trim(), owner_ids: [me.id] },
      });
      await joinGroups(api, data.email, group === undefined ? [] : [{ value: group, label: group }]);
      if (credentials) onIssued({ name: data.name, slug: data.slug ?? "", credentials });
      await Promise.all([usersKey, groupsKey, firstRunKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
  return (
    <>
      <p>
        A machine user is an account with an access key, for an agent or a script. It becomes a member of {group}. You
        can change it later in{" "}
        <TextLink to="/machine-users" inherit>
          Machine users
        </TextLink>
        .
      </p>
      <form onSubmit={onSubmit} noValidate className="gh-step-form">
        <TextInput size="xs" aria-label="Machine user name" {...form.getInputProps("name")} />
        <Button size="xs" type="submit" loading={isWorking}>
          Create machine user
        </Button>
      </form>
      <ErrorNote error={error} />
    </>
  );
}
