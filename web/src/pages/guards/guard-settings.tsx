import { Button, Group, Select, Slider, Stack, TagsInput, Text, Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Schemas } from "../../api/client.ts";
import { useApi, useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { changedFields, useSavedForm } from "../../components/saved-form.ts";
import { Section } from "../../components/section.tsx";
import { DeleteSection } from "../records/delete-section.tsx";
import { actionsFor, DIRECTIONS, type Guard, guardsKey } from "./guards.ts";
import { useSaveGuard } from "./save-guard.ts";

export function GuardSettings({ guard }: { guard: Guard }) {
  const { changes } = useRights();
  return (
    <>
      <Behavior guard={guard} />
      {changes && !guard.is_builtin && <Danger guard={guard} />}
    </>
  );
}

function Behavior({ guard }: { guard: Guard }) {
  const { changes } = useRights();
  const save = useSaveGuard(guard.slug);
  const { form, onSubmit, isWorking, error } = useSavedForm({
    saved: valuesOf(guard),
    submit: (values, before) => save.mutateAsync(bodyOf(guard, changedFields(before, values))),
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

function valuesOf({ name, description, message, action, threshold, direction, scope }: Guard) {
  return {
    ...{ name, description, message, action, threshold, direction },
    ...{ groups: [...scope.groups], servers: [...scope.servers], tools: [...scope.tools], users: [...scope.users] },
    exclude_servers: [...scope.exclude_servers],
  };
}

/** The API replaces the scope, so the lists that were not changed are sent as they were last read. */
function bodyOf({ scope: saved }: Guard, changed: Partial<ReturnType<typeof valuesOf>>): Schemas["UpdateGuard"] {
  const { groups, servers, tools, users, exclude_servers, name, ...rest } = changed;
  const lists = Object.entries({ groups, servers, tools, users, exclude_servers });
  const scope = Object.fromEntries(lists.filter(([, list]) => list !== undefined));
  return {
    ...rest,
    ...(name !== undefined && { name: name.trim() }),
    ...(Object.keys(scope).length > 0 && { scope: { ...saved, ...scope } }),
  };
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
