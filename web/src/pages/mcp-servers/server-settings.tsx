import { Button, Group, NumberInput, SegmentedControl, Select, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { getRouteApi } from "@tanstack/react-router";
import { useRights } from "../../api/context.tsx";
import { ConfirmByName } from "../../components/confirm-by-name.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { Note } from "../../components/note.tsx";
import { useSavedForm } from "../../components/saved-form.ts";
import { Section } from "../../components/section.tsx";
import { losesSharedHeaders } from "./auth-methods.ts";
import { POLICY_CHOICES, TRANSPORT_CHOICES } from "./choices.ts";
import { useServerChanges } from "./server-changes.ts";
import { ServerLimits } from "./server-limits.tsx";
import type { Detail } from "./servers.ts";
import { SyncUser } from "./sync-user.tsx";

const route = getRouteApi("/mcp-servers/$slug");

export function ServerSettings({ server }: { server: Detail }) {
  const { changes } = useRights();
  return (
    <>
      <Section title="General">
        <GeneralForm server={server} />
      </Section>
      <Section
        title="Limits"
        description="Limits that isolate a slow or failing server. Leave a field empty to use the default of the organization."
      >
        <ServerLimits server={server} />
      </Section>
      {changes && !server.is_local_mcp && <DangerZone server={server} />}
    </>
  );
}

/** Fields of the form for those of the API that have another name. */
const FIELDS: Readonly<Record<string, string>> = {
  mcp_proxy: "url",
  sync_user_email: "syncUser",
  result_limit_bytes: "resultLimit",
};

function GeneralForm({ server }: { server: Detail }) {
  const { changes } = useRights();
  const navigate = route.useNavigate();
  const { update } = useServerChanges(server);
  const initial = initialOf(server);
  const { form, onSubmit, isWorking, error } = useSavedForm({
    saved: initial,
    fieldOf: (field) => FIELDS[field] ?? field,
    validate: ({ name, url }) => ({
      ...(name.trim() === "" ? { name: "Enter a name" } : {}),
      ...(url.trim() === "" || URL.canParse(url.trim())
        ? {}
        : { url: "Enter a full URL, such as https://mcp.example.com/mcp" }),
    }),
    submit: async (values, before) => {
      const slug = await update(bodyOf(before, values));
      if (slug !== server.slug) await navigate({ params: { slug }, search: (old) => old, replace: true });
    },
  });
  const isRenamed = form.values.slug !== initial.slug;
  return (
    <form onSubmit={onSubmit} noValidate>
      <fieldset disabled={!changes} className="gh-fieldset">
        <Stack gap="sm" maw={560}>
          <TextInput label="Name" {...form.getInputProps("name")} />
          <TextInput label="Slug" spellCheck={false} {...form.getInputProps("slug")} />
          {isRenamed && (
            <Note tone="warn">
              Its tools are renamed to {form.values.slug || "…"}__… at the gateway immediately. Prompts, scripts, and
              allowlists that use {initial.slug}__… stop working.
            </Note>
          )}
          <Textarea label="Description" autosize minRows={2} maxRows={8} {...form.getInputProps("description")} />
          <div>
            <Text size="sm" fw={500} mb={3}>
              Status
            </Text>
            <SegmentedControl
              aria-label="Status"
              disabled={!changes}
              data={[
                { value: "active", label: "Active" },
                { value: "draft", label: "Draft" },
              ]}
              {...form.getInputProps("status")}
            />
          </div>
          {!server.is_local_mcp && (
            <>
              <TextInput
                label="Server URL"
                placeholder="https://mcp.example.com/mcp"
                spellCheck={false}
                {...form.getInputProps("url")}
              />
              {losesSharedHeaders(server, form.values.url) && (
                <Note tone="warn">
                  Saving a URL with another host deletes the shared credential. Enter it again on the Authentication
                  tab.
                </Note>
              )}
              <Select
                label="Transport"
                data={TRANSPORT_CHOICES.map((choice) => ({ ...choice }))}
                allowDeselect={false}
                {...form.getInputProps("transport")}
              />
            </>
          )}
          <Select
            label="When the server changes or adds tools"
            data={POLICY_CHOICES.map((choice) => ({ ...choice }))}
            allowDeselect={false}
            {...form.getInputProps("policy")}
          />
          <NumberInput
            label="Maximum text of a tool result"
            description="Longer texts are cut and end with a link to the complete text, which the caller can read for an hour. Empty: no limit"
            placeholder="No limit"
            suffix=" bytes"
            thousandSeparator=","
            min={1024}
            max={16 * 1024 * 1024}
            allowDecimal={false}
            allowNegative={false}
            {...form.getInputProps("resultLimit")}
          />
          {server.auth_type !== "none" && (
            <SyncUser
              server={server}
              value={form.values.syncUser}
              onChange={(email) => form.setFieldValue("syncUser", email)}
              error={form.errors.syncUser}
            />
          )}
          <ErrorNote error={error} />
          {changes && (
            <Group gap="xs">
              <Button type="submit" disabled={!form.isDirty()} loading={isWorking}>
                Save changes
              </Button>
              {form.isDirty() && (
                <Button variant="subtle" color="gray" onClick={form.reset} disabled={isWorking}>
                  Discard
                </Button>
              )}
            </Group>
          )}
        </Stack>
      </fieldset>
    </form>
  );
}

function initialOf(server: Detail) {
  const { connection } = server;
  return {
    name: server.name,
    slug: server.slug,
    description: server.description,
    // Form fields are strings; `bodyOf` converts them.
    status: server.status as string,
    url: connection?.url ?? "",
    transport: (connection?.transport ?? "both") as string,
    policy: server.tool_policy as string,
    syncUser: server.sync_user_email ?? "",
    resultLimit: (server.result_limit_bytes ?? "") as number | string,
  };
}

type GeneralValues = ReturnType<typeof initialOf>;

/** Sends only changed fields, so that two admins who edit different fields do not overwrite each other. */
function bodyOf(before: GeneralValues, now: GeneralValues) {
  const isChanged = (name: keyof GeneralValues) => now[name] !== before[name];
  const proxy = JSON.stringify({ type: now.transport, url: now.url.trim() });
  return {
    ...(isChanged("name") ? { name: now.name.trim() } : {}),
    ...(isChanged("slug") ? { slug: now.slug.trim() } : {}),
    ...(isChanged("description") ? { description: now.description.trim() } : {}),
    ...(isChanged("status") ? { status: now.status === "active" ? ("active" as const) : ("draft" as const) } : {}),
    ...(isChanged("url") || isChanged("transport") ? { mcp_proxy: now.url.trim() === "" ? null : proxy } : {}),
    ...(isChanged("policy") ? { tool_policy: POLICY_CHOICES.find(({ value }) => value === now.policy)?.value } : {}),
    ...resultLimitOf(before, now),
    ...(isChanged("syncUser") ? { sync_user_email: now.syncUser.trim() === "" ? null : now.syncUser.trim() } : {}),
  };
}

function resultLimitOf({ resultLimit: before }: GeneralValues, { resultLimit: now }: GeneralValues) {
  return now === before ? {} : { result_limit_bytes: now === "" ? null : Number(now) };
}

function DangerZone({ server }: { server: Detail }) {
  const [isOpen, dialog] = useDisclosure();
  const navigate = route.useNavigate();
  const { remove } = useServerChanges(server);
  return (
    <Section
      title="Delete server"
      danger
      description="Its tools are removed from the gateway immediately, and all users are disconnected. Its calls stay in the logs."
      actions={
        <Button color="red" variant="outline" onClick={dialog.open}>
          Delete server…
        </Button>
      }
    >
      <ConfirmByName
        opened={isOpen}
        title={`Delete ${server.name}?`}
        name={server.slug}
        action="Delete server"
        isWorking={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate(undefined, { onSuccess: () => void navigate({ to: "/mcp-servers" }) })}
        onClose={dialog.close}
      >
        {server.connections.connected + server.connections.reconnect_needed} users are disconnected, and{" "}
        {server.tools_count} tools are removed from the gateway. This cannot be undone.
      </ConfirmByName>
    </Section>
  );
}
