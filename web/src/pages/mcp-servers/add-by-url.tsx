import { Button, Collapse, Group, Select, Stack, Switch, Textarea, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useApi } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { AUTH_CHOICES, TRANSPORT_CHOICES } from "./choices.ts";
import { nameFromUrl } from "./read-mcp-json.ts";
import { showSyncResult } from "./server-changes.ts";
import { serversKey } from "./servers.ts";

/** Maps API fields to fields of this form; `mcp_proxy` holds both the URL and the transport. */
const FIELD_OF: Readonly<Record<string, string>> = { mcp_proxy: "url", auth_settings: "authType" };

/** The fields behind "More options". */
const OPTIONAL = ["slug", "description", "transport"] as const;

export function AddByUrl({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [hasMore, more] = useDisclosure();
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: { url: "", name: "", transport: "both", authType: "none", slug: "", description: "", isDraft: false },
    fieldOf: (field) => FIELD_OF[field] ?? field,
    validate: ({ url, name }) => ({
      ...(URL.canParse(url.trim()) ? {} : { url: "Enter a full URL, such as https://mcp.example.com/mcp" }),
      ...(name.trim() === "" ? { name: "Enter a name" } : {}),
    }),
    submit: async ({ url, transport, authType, name, slug, description, isDraft }) => {
      const { data } = await api.createMcpServer({
        body: {
          name: name.trim(),
          mcp_proxy: JSON.stringify({ type: transport, url: url.trim() }),
          auth_settings: { authType: AUTH_CHOICES.find(({ value }) => value === authType)?.value },
          status: isDraft ? "draft" : "active",
          ...(slug.trim() === "" ? {} : { slug: slug.trim() }),
          ...(description.trim() === "" ? {} : { description: description.trim() }),
        },
      });
      await queries.invalidateQueries({ queryKey: serversKey });
      await navigate({ to: "/mcp-servers/$slug", params: { slug: data.slug } });
      if (authType === "none") void reportFirstSync(data.slug, name.trim());
    },
  });
  /** Shares the sync that started when the server was created. */
  const reportFirstSync = async (slug: string, name: string) => {
    const { data } = await api.syncMcpServer({ path: { slug } });
    await queries.invalidateQueries({ queryKey: serversKey });
    showSyncResult(name, data.sync_error, data.tools_count);
  };
  const suggestName = () => {
    if (form.values.name === "") form.setFieldValue("name", nameFromUrl(form.values.url));
  };
  const showsMore = hasMore || OPTIONAL.some((field) => form.errors[field] !== undefined);
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <TextInput
          label="Server URL"
          placeholder="https://mcp.example.com/mcp"
          inputMode="url"
          spellCheck={false}
          data-autofocus
          {...form.getInputProps("url")}
          onBlur={suggestName}
        />
        <TextInput label="Name" placeholder="GitHub" {...form.getInputProps("name")} />
        <Select
          label="Authentication"
          description="With a per-user method, each person connects their own account."
          data={AUTH_CHOICES.map((choice) => ({ ...choice }))}
          allowDeselect={false}
          {...form.getInputProps("authType")}
        />
        <Collapse expanded={showsMore}>
          <Stack gap="md">
            <TextInput
              label="Slug"
              description="Prefix of its tool names at the gateway. Leave empty to derive it from the name."
              spellCheck={false}
              {...form.getInputProps("slug")}
            />
            <Textarea label="Description" autosize minRows={2} maxRows={6} {...form.getInputProps("description")} />
            <Select
              label="Transport"
              data={TRANSPORT_CHOICES.map((choice) => ({ ...choice }))}
              allowDeselect={false}
              {...form.getInputProps("transport")}
            />
            <Switch
              label="Add as a draft"
              description="Only groups that include drafts can use it until you activate it."
              {...form.getInputProps("isDraft", { type: "checkbox" })}
            />
          </Stack>
        </Collapse>
        <ErrorNote error={error} />
        <Group justify="space-between">
          <Button variant="subtle" color="gray" onClick={more.toggle} aria-expanded={showsMore}>
            {showsMore ? "Fewer options" : "More options"}
          </Button>
          <DialogActions onCancel={onClose} isWorking={isWorking}>
            Add server
          </DialogActions>
        </Group>
      </Stack>
    </form>
  );
}
