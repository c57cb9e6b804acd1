import { Button, Group as Row, Stack, Switch, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { type CallLimits, CallLimitsForm } from "../../components/call-limits-form.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { notifyDone } from "../../components/notify.tsx";
import { Section } from "../../components/section.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { ScimManaged } from "../users/scim-managed.tsx";
import { DeleteGroup } from "./delete-group.tsx";
import { type Group, groupsKey } from "./groups.ts";
import { GROUP_SETTINGS, type GroupSetting } from "./setting-labels.ts";

export function GroupSettings({ group }: { group: Group }) {
  const { changes } = useRights();
  return (
    <>
      <Behavior group={group} />
      <Limits group={group} />
      {changes && group.provisioned_by === null && <Rename group={group} key={group.name} />}
      {changes && group.provisioned_by === null && <Danger group={group} />}
      {changes && group.provisioned_by === "scim" && (
        <ScimManaged name={group.name} target={{ groups: [group.name] }}>
          Your identity provider manages the name, the people, and the deletion of this group.
        </ScimManaged>
      )}
    </>
  );
}

/** Each switch saves immediately. */
function Behavior({ group }: { group: Group }) {
  const api = useApi();
  const { changes } = useRights();
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: ({ key, isOn }: { key: GroupSetting; isOn: boolean }) =>
      api.updateGroup({ query: { name: group.name }, body: { settings: { [key]: isOn } } }),
    onSuccess: () => {
      notifyDone();
      return queries.invalidateQueries({ queryKey: groupsKey });
    },
  });
  return (
    <Section title="Behavior">
      <Stack gap="md" maw="40rem">
        {GROUP_SETTINGS.map(({ key, label, description }) => (
          <Switch
            key={key}
            label={label}
            description={description}
            checked={group.settings[key]}
            disabled={!changes || change.isPending || (key === "auto_assign_users" && group.provisioned_by === "scim")}
            onChange={(event) => change.mutate({ key, isOn: event.currentTarget.checked })}
          />
        ))}
        <ErrorNote error={change.error} />
      </Stack>
    </Section>
  );
}

function Limits({ group }: { group: Group }) {
  const api = useApi();
  const { changes } = useRights();
  const queries = useQueryClient();
  const save = async (limits: CallLimits) => {
    await api.updateGroup({ query: { name: group.name }, body: { limits } });
    notifyDone();
    await queries.invalidateQueries({ queryKey: groupsKey });
  };
  return (
    <Section
      title="Rate limits"
      description="For each member's calls to the servers of this group. Limits of several groups that grant the same tool add up; a group without limits lifts them."
    >
      <CallLimitsForm limits={group.limits} isReadOnly={!changes} save={save} />
    </Section>
  );
}

function Rename({ group }: { group: Group }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: { name: group.name },
    validate: ({ name }): { name?: string } => (name.trim() === "" ? { name: "Enter a name" } : {}),
    submit: async ({ name }) => {
      const { data } = await api.updateGroup({ query: { name: group.name }, body: { name: name.trim() } });
      await navigate({
        to: "/groups/$name",
        params: { name: data.name },
        search: { tab: "settings" },
        replace: true,
      });
      notifyDone();
      await queries.invalidateQueries({ queryKey: groupsKey });
    },
  });
  return (
    <Section
      title="Name"
      description="Renaming keeps members, servers, and settings. Update scripts that use the name."
    >
      <form onSubmit={onSubmit} noValidate>
        <Row gap="xs" align="flex-start" maw="28rem">
          <TextInput aria-label="Name" flex={1} {...form.getInputProps("name")} />
          <Button type="submit" variant="default" loading={isWorking} disabled={form.values.name.trim() === group.name}>
            Rename
          </Button>
        </Row>
        <ErrorNote error={error} />
      </form>
    </Section>
  );
}

function Danger({ group }: { group: Group }) {
  const navigate = useNavigate();
  const [isDeleting, deleting] = useDisclosure();
  return (
    <Section
      danger
      title="Delete group"
      description="Members lose access to servers that no other group gives them. Users and servers are kept."
      actions={
        <Button color="red" variant="outline" onClick={deleting.open}>
          Delete group…
        </Button>
      }
    >
      <DeleteGroup
        group={group}
        opened={isDeleting}
        onClose={deleting.close}
        onDeleted={() => navigate({ to: "/groups", replace: true })}
      />
    </Section>
  );
}
