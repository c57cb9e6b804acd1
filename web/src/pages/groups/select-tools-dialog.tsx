import { Button, Group, Radio, SegmentedControl, Skeleton, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote, ErrorState } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { Note } from "../../components/note.tsx";
import { notifyDone } from "../../components/notify.tsx";
import { type Detail, serverQuery } from "../mcp-servers/servers.ts";
import { effectOf } from "../mcp-servers/tool-effect.tsx";
import type { Grant } from "./grants.ts";
import { useMembership } from "./membership.ts";
import { ToolCheckboxes } from "./tool-checkboxes.tsx";

interface SelectToolsDialogProps {
  /** Undefined: the dialog is closed. */
  readonly grant: Grant | undefined;
  onClose(): void;
}

export function SelectToolsDialog({ grant, onClose }: SelectToolsDialogProps) {
  return (
    <FormDialog
      opened={grant !== undefined}
      onClose={onClose}
      title={grant && `Tools of ${grant.server_name} for ${grant.group}`}
      size="lg"
    >
      {grant && <SelectTools grant={grant} onClose={onClose} />}
    </FormDialog>
  );
}

function SelectTools({ grant, onClose }: { grant: Grant; onClose(): void }) {
  const api = useApi();
  const { data, error, refetch } = useQuery(serverQuery(api, grant.server));
  if (data) return <SelectionForm grant={grant} tools={data.data.all_tools} onClose={onClose} />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <Skeleton height={320} />;
}

type Tools = Detail["all_tools"];

function SelectionForm({ grant, tools, onClose }: { grant: Grant; tools: Tools; onClose(): void }) {
  const [isAll, setAll] = useState(grant.tools === null);
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set(grant.tools ?? tools.map(({ slug }) => slug)));
  const [newTools, setNewTools] = useState<Grant["new_tools"]>(grant.tools === null ? "hold" : grant.new_tools);
  const save = useSave(grant, onClose);
  const isNone = !isAll && picked.size === 0;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(isAll ? { tools: null } : { tools: [...picked], new_tools: newTools });
      }}
    >
      <Stack gap="md">
        <SegmentedControl
          aria-label="Tools"
          fullWidth
          value={isAll ? "all" : "some"}
          onChange={(value) => setAll(value === "all")}
          data={[
            { value: "all", label: "All tools" },
            { value: "some", label: "Selected tools" },
          ]}
        />
        {isAll ? (
          <Text size="sm" c="dimmed">
            Members can call all enabled tools of the server, including tools that it adds later.
          </Text>
        ) : (
          <>
            <ToolPicker grant={grant} tools={tools} picked={picked} onPick={setPicked} />
            <Radio.Group
              label="Tools that the server adds later"
              value={newTools}
              onChange={(value) => setNewTools(value === "include" ? "include" : "hold")}
            >
              <Stack gap="xs" mt="xs">
                <Radio value="hold" label="Hold until an admin selects them" />
                <Radio value="include" label="Include automatically" />
              </Stack>
            </Radio.Group>
          </>
        )}
        {isNone && <Note tone="info">Select a tool. To grant none, remove the server from the group.</Note>}
        <ErrorNote error={save.error} />
        <DialogActions onCancel={onClose} isWorking={save.isPending} isDisabled={isNone}>
          Save
        </DialogActions>
      </Stack>
    </form>
  );
}

function useSave({ group, server }: Grant, onClose: () => void) {
  const api = useApi();
  const { refresh } = useMembership();
  return useMutation({
    mutationFn: (body: { tools: string[] | null; new_tools?: Grant["new_tools"] }) =>
      api.updateGroupIntegration({ path: { name: group }, query: { slug: server }, body }),
    onSuccess: async () => {
      await refresh();
      notifyDone("Saved");
      onClose();
    },
  });
}

interface ToolPickerProps {
  readonly grant: Grant;
  readonly tools: Tools;
  readonly picked: ReadonlySet<string>;
  onPick(picked: ReadonlySet<string>): void;
}

function ToolPicker({ grant, tools, picked, onPick }: ToolPickerProps) {
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const shown = tools.filter(({ name, slug, description }) =>
    [name, slug, description].some((text) => text.toLowerCase().includes(wanted)),
  );
  const readOnly = tools.filter(({ hints }) => effectOf(hints) === "read-only");
  const pick = (chosen: Tools) => onPick(new Set(chosen.map(({ slug }) => slug)));
  const count = tools.filter(({ slug }) => picked.has(slug)).length;
  if (tools.length === 0)
    return <Note tone="info">The server has not been synced yet. Its tools can be selected after the first sync.</Note>;
  return (
    <Stack gap="xs">
      <TextInput
        type="search"
        aria-label="Search tools"
        placeholder="Search tools"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed" aria-live="polite">{`${count} of ${tools.length} selected`}</Text>
        <Group gap="xs">
          <Button variant="default" size="compact-xs" onClick={() => pick(tools)}>
            Select all
          </Button>
          <Button variant="default" size="compact-xs" onClick={() => pick([])}>
            Select none
          </Button>
          {readOnly.length > 0 && (
            <Button variant="default" size="compact-xs" onClick={() => pick(readOnly)}>
              Select read-only
            </Button>
          )}
        </Group>
      </Group>
      <ToolCheckboxes tools={shown} newTools={grant.held_tools} picked={picked} onPick={onPick} />
      {grant.missing_tools.length > 0 && (
        <Text size="sm" c="dimmed">{`No longer provided by the server: ${grant.missing_tools.join(", ")}`}</Text>
      )}
    </Stack>
  );
}
