import { Button, Group, Select, Slider, Stack, TagsInput, Text, Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { Section } from "../../components/section.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { DeleteSection } from "../records/delete-section.tsx";
import { actionsFor, DIRECTIONS, type Guard, guardsKey } from "./guards.ts";
import { useSaveGuard } from "./save-guard.ts";

export function GuardSettings({ guard }: { guard: Guard }) {
  const { changes } = useRights();
  return (
    <>
      <Behavior guard={guard} key={guard.updated_at} />
      {changes && !guard.is_builtin && <Danger guard={guard} />}
    </>
  );
}

function Behavior({ guard }: { guard: Guard }) {
  const { changes } = useRights();
  const save = useSaveGuard(guard.slug);
  const { groups, servers, tools, users, exclude_servers } = guard.scope;
  const { name, description, message, action, threshold, direction } = guard;
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: {
      ...{ name, description, message, action, threshold, direction },
      ...{ groups: [...groups], servers: [...servers], tools: [...tools], users: [...users] },
      exclude_servers: [...exclude_servers],
    },
    submit: ({ groups, servers, tools, users, exclude_servers, name, description, message, ...behavior }) =>
      save.mutateAsync({
        ...behavior,
        ...(guard.type === "runtime" && { scope: { groups, servers, tools, users, exclude_servers } }),
        // Built-in guards keep their texts.
        ...(!guard.is_builtin && { name: name.trim(), description, message }),
      }),
  });
  const isRuntime = guard.type === "runtime";
  return (
    <form onSubmit={onSubmit} noValidate>
      <fieldset disabled={!changes} className="gh-fieldset">
        <Section title="Behavior" description="If several guards fire, the strongest action applies.">
          <Stack gap="md" maw={560}>
            {!guard.is_builtin && <TextInput label="Name" {...form.getInputProps("name")} />}
            {!guard.is_builtin && (
              <Textarea label="Description" autosize minRows={2} {...form.getInputProps("description")} />
            )}
            <Select
              label="Action"
              data={actionsFor(guard.type)}
              allowDeselect={false}
              {...form.getInputProps("action")}
            />
            {isRuntime && form.values.action !== "require_approval" && (
              <Select
                label="Examines"
                data={Object.entries(DIRECTIONS).map(([value, label]) => ({ value, label }))}
                allowDeselect={false}
                {...form.getInputProps("direction")}
              />
            )}
            <div>
              <Text size="sm" fw={500} id="guard-threshold">
                Threshold {form.values.threshold} of 10
              </Text>
              <Text size="xs" c="dimmed" mb="xs">
                The guard fires if a finding is at least this certain. A lower threshold finds more, including more
                false positives.
              </Text>
              <Slider
                min={1}
                max={10}
                step={1}
                label={null}
                thumbProps={{ "aria-labelledby": "guard-threshold" }}
                disabled={!changes}
                {...form.getInputProps("threshold")}
              />
            </div>
            {!guard.is_builtin && (
              <TextInput
                label="Message"
                description="Shown to the caller if the guard blocks"
                {...form.getInputProps("message")}
              />
            )}
          </Stack>
        </Section>
        {isRuntime && (
          <Section title="Scope" description="Empty fields mean any. A call must match all fields that are set.">
            <Stack gap="md" maw={560}>
              <TagsInput label="Groups" placeholder="Any group" {...form.getInputProps("groups")} />
              <TagsInput
                label="Servers"
                description="Slugs"
                placeholder="Any server"
                {...form.getInputProps("servers")}
              />
              <TagsInput
                label="Tools"
                description="Names at the gateway, with * and ?, such as github__*"
                placeholder="Any tool"
                {...form.getInputProps("tools")}
              />
              <TagsInput label="Users" description="Emails" placeholder="Any user" {...form.getInputProps("users")} />
              <TagsInput
                label="Servers that are not examined"
                description="Slugs"
                {...form.getInputProps("exclude_servers")}
              />
            </Stack>
          </Section>
        )}
        <ErrorNote error={error} />
        {changes && (
          <Group mt="md">
            <Button type="submit" loading={isWorking} disabled={!form.isDirty()}>
              Save changes
            </Button>
          </Group>
        )}
      </fieldset>
    </form>
  );
}

function Danger({ guard: { slug, name } }: { guard: Guard }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (
    <DeleteSection
      kind="guard"
      name={name}
      slug={slug}
      description="Calls are no longer examined by it. The log keeps what it found."
      remove={() => api.deleteGuard({ query: { slug } })}
      onDeleted={async () => {
        await navigate({ to: "/guards", replace: true });
        await queries.invalidateQueries({ queryKey: [...guardsKey, "list"] });
      }}
    >
      To stop it for a while, turn it off instead.
    </DeleteSection>
  );
}
