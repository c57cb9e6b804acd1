import { Alert, Loader, Radio, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { notifyDone } from "../../components/notify.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { ChangeList } from "./change-list.tsx";
import { type Bump, changesQuery, nextVersion, type Plugin, pluginsKey } from "./plugins.ts";

interface PublishDialogProps {
  readonly plugin: Plugin;
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function PublishDialog({ plugin, opened, onClose }: PublishDialogProps) {
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={`Publish ${plugin.name}`}
      size="lg"
      closeOnClickOutside={false}
    >
      {opened && <PublishForm plugin={plugin} onClose={onClose} />}
    </FormDialog>
  );
}

const BUMPS: readonly { readonly value: Bump; readonly label: string }[] = [
  { value: "patch", label: "Patch" },
  { value: "minor", label: "Minor" },
  { value: "major", label: "Major" },
];

function PublishForm({ plugin, onClose }: Omit<PublishDialogProps, "opened">) {
  const api = useApi();
  const queries = useQueryClient();
  const { slug, latest_version: latest, has_unpublished_changes: isChanged } = plugin;
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: { bump: "patch", version: "", notes: "" },
    submit: async ({ bump, version, notes }) => {
      const body = versionOf({ bump, version: version.trim() }, plugin);
      const answer = await api.publishPlugin({ path: { slug }, body: { ...body, notes: notes.trim() } });
      const warnings = answer.warnings ?? [];
      notifyDone([`Published ${answer.data.version}`, ...warnings].join(". "));
      onClose();
      await queries.invalidateQueries({ queryKey: pluginsKey });
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        {latest !== null && isChanged && (
          <Radio.Group label="Version" {...form.getInputProps("bump")}>
            <Stack gap="xs" mt="xs">
              {BUMPS.map(({ value, label }) => (
                <Radio key={value} value={value} label={`${label}: ${nextVersion(latest, value)}`} />
              ))}
              <Radio value="other" label="Other" />
            </Stack>
          </Radio.Group>
        )}
        {(latest === null || form.values.bump === "other") && (
          <TextInput
            label={latest === null ? "Version" : "Other version"}
            description={latest === null ? "Empty: 1.0.0" : `Must be greater than ${latest}`}
            placeholder={latest === null ? "1.0.0" : nextVersion(latest, "patch")}
            {...form.getInputProps("version")}
          />
        )}
        {isChanged ? (
          <>
            <Textarea label="Notes" description="What changed" autosize minRows={2} {...form.getInputProps("notes")} />
            <NextChanges plugin={plugin} />
          </>
        ) : (
          <Text size="sm">{`Nothing changed since ${latest}. Members get this release again.`}</Text>
        )}
        <ErrorNote error={error} />
        <DialogActions onCancel={onClose} isWorking={isWorking}>
          Publish
        </DialogActions>
      </Stack>
    </form>
  );
}

function versionOf({ bump, version }: { bump: string; version: string }, plugin: Plugin) {
  if (plugin.latest_version !== null && !plugin.has_unpublished_changes) return {};
  if (plugin.latest_version === null || bump === "other") return version === "" ? {} : { version };
  // The radio buttons have these values.
  return { bump: bump as Bump };
}

function NextChanges({ plugin }: { plugin: Plugin }) {
  const api = useApi();
  const { data, error } = useQuery(changesQuery(api, plugin.slug));
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Loader size="sm" aria-label="Loading changes" />;
  const title = data.since === null ? "Files of the first release" : `Changes since ${data.since}`;
  return (
    <Alert variant="light" color="gray" title={title}>
      <ChangeList label={title} files={data.files} />
    </Alert>
  );
}
