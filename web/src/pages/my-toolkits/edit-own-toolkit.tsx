import { Checkbox, ScrollArea, Skeleton, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { withBasePath } from "../../api/base-path.ts";
import type { Schemas } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { createGateway, type GatewayTool } from "../../api/gateway.ts";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote, ErrorState } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { notifyDone } from "../../components/notify.tsx";
import { matching, toolsQuery } from "../playground/tools.ts";
import { myToolkitsKey } from "./my-toolkits.ts";
import { nextEntries, selectedNames } from "./own-entries.ts";

interface EditOwnToolkitProps {
  /** Undefined: a new toolkit. */
  readonly slug: string | undefined;
  readonly opened: boolean;
  onClose(): void;
}

export function EditOwnToolkit({ slug, opened, onClose }: EditOwnToolkitProps) {
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={slug === undefined ? "Create toolkit" : "Edit toolkit"}
      size="lg"
      closeOnClickOutside={false}
    >
      {opened && <Loaded slug={slug} onClose={onClose} />}
    </FormDialog>
  );
}

function Loaded({ slug, onClose }: Omit<EditOwnToolkitProps, "opened">) {
  const api = useApi();
  const [gateway] = useState(() => createGateway(api, withBasePath("/mcp")));
  const tools = useQuery(toolsQuery(gateway));
  const toolkit = useQuery({
    queryKey: [...myToolkitsKey, slug],
    queryFn: async ({ signal }) => (await api.getMyToolkit({ path: { slug: slug ?? "" }, signal })).data,
    enabled: slug !== undefined,
  });
  const error = tools.error ?? toolkit.error;
  if (error) return <ErrorState error={error} onRetry={() => void Promise.all([tools.refetch(), toolkit.refetch()])} />;
  if (!tools.data || (slug !== undefined && !toolkit.data)) return <Skeleton height={320} />;
  return <ToolkitForm tools={tools.data} toolkit={toolkit.data} onClose={onClose} />;
}

interface ToolkitFormProps {
  readonly tools: readonly GatewayTool[];
  readonly toolkit: Schemas["Toolkit"] | undefined;
  onClose(): void;
}

function ToolkitForm({ tools, toolkit, onClose }: ToolkitFormProps) {
  const names = tools.map((tool) => tool.name);
  const entries = toolkit?.tools ?? [];
  const [name, setName] = useState(toolkit?.name ?? "");
  const [isActive, setActive] = useState((toolkit?.status ?? "active") === "active");
  const [selected, setSelected] = useState(() => selectedNames(entries, names));
  const body = {
    name: name.trim(),
    status: isActive ? ("active" as const) : ("draft" as const),
    tools: nextEntries(entries, names, selected),
  };
  const save = useSave(toolkit?.slug, onClose);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(body);
      }}
    >
      <Stack gap="md">
        <TextInput
          label="Name"
          placeholder="Issue triage"
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <ToolChoice tools={tools} selected={selected} onSelect={setSelected} />
        <Switch
          label="Active"
          description="MCP clients can use only active toolkits."
          checked={isActive}
          onChange={(event) => setActive(event.currentTarget.checked)}
        />
        <ErrorNote error={save.error} />
        <DialogActions
          onCancel={onClose}
          isWorking={save.isPending}
          isDisabled={body.name === "" || (isActive && body.tools.length === 0)}
        >
          {toolkit ? "Save" : "Create toolkit"}
        </DialogActions>
      </Stack>
    </form>
  );
}

function useSave(slug: string | undefined, onClose: () => void) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["CreateOwnToolkit"]) =>
      slug === undefined ? api.createMyToolkit({ body }) : api.updateMyToolkit({ query: { slug }, body }),
    onSuccess: async () => {
      notifyDone("Saved");
      await queries.invalidateQueries({ queryKey: myToolkitsKey });
      onClose();
    },
  });
}

interface ToolChoiceProps {
  readonly tools: readonly GatewayTool[];
  readonly selected: ReadonlySet<string>;
  onSelect(selected: ReadonlySet<string>): void;
}

function ToolChoice({ tools, selected, onSelect }: ToolChoiceProps) {
  const [search, setSearch] = useState("");
  const shown = matching(tools, search);
  const toggle = (name: string, isIn: boolean) => {
    const next = new Set(selected);
    if (isIn) next.add(name);
    else next.delete(name);
    onSelect(next);
  };
  return (
    <Stack gap="xs">
      <TextInput
        type="search"
        label="Tools"
        description={`${selected.size} of ${tools.length} selected`}
        placeholder="Search your tools"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <ScrollArea.Autosize mah={320} type="auto" viewportProps={{ tabIndex: 0, "aria-label": "Tools" }}>
        <Stack gap="sm" pr="md">
          {shown.map(({ name, description }) => (
            <Checkbox
              key={name}
              label={<code>{name}</code>}
              description={
                description && (
                  <Text span size="xs" lineClamp={1}>
                    {description}
                  </Text>
                )
              }
              checked={selected.has(name)}
              onChange={(event) => toggle(name, event.currentTarget.checked)}
            />
          ))}
          {shown.length === 0 && <Text size="sm">No matching tools</Text>}
        </Stack>
      </ScrollArea.Autosize>
    </Stack>
  );
}
