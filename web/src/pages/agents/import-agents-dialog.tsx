import { Button, Group, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { TextLink } from "../../components/links.tsx";
import { Note } from "../../components/note.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { type Agent, agentsKey } from "./agents.ts";
import { PlatformFields } from "./platform-fields.tsx";
import { NEW_PLATFORM, type PlatformValues, platformBody, platformField } from "./platform-values.ts";

export function ImportAgentsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <FormDialog opened={opened} onClose={onClose} title="Import agents" size="lg" closeOnClickOutside={false}>
      {opened && <ImportAgentsForm onClose={onClose} />}
    </FormDialog>
  );
}

/** Imports agents that exist only at Claude Managed Agents. */
function ImportAgentsForm({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const [imported, setImported] = useState<readonly Agent[]>();
  const { form, onSubmit, isWorking, error } = useServerForm<PlatformValues>({
    initial: NEW_PLATFORM,
    fieldOf: platformField,
    validate: ({ api_key: key }) => (key.trim() === "" ? { api_key: "Enter the API key" } : {}),
    submit: async (values) => {
      const platform_config = platformBody("anthropic", values);
      const { data } = await api.importBackgroundAgents({ body: { platform: "anthropic", platform_config } });
      await queries.invalidateQueries({ queryKey: agentsKey });
      setImported(data);
    },
  });
  if (imported) return <Imported agents={imported} onClose={onClose} />;
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <Note>
          Imports the agents of a Claude Managed Agents workspace that are not in Gatehouse yet. They are paused, and
          each gets a new machine user.
        </Note>
        <PlatformFields
          platform="anthropic"
          propsOf={(field) => form.getInputProps(field)}
          setSecret={(secret) => form.setFieldValue("secret", secret)}
        />
        <ErrorNote error={error} />
        <DialogActions onCancel={onClose} isWorking={isWorking}>
          Import agents
        </DialogActions>
      </Stack>
    </form>
  );
}

function Imported({ agents, onClose }: { agents: readonly Agent[]; onClose: () => void }) {
  const count = agents.length === 1 ? "1 agent imported" : `${agents.length} agents imported`;
  return (
    <Stack gap="md" aria-live="polite">
      <Note>{agents.length === 0 ? "No agents to import: all are in Gatehouse already." : `${count}.`}</Note>
      {agents.length > 0 && (
        <ul>
          {agents.map(({ slug, name }) => (
            <li key={slug}>
              <TextLink to="/agents/$slug" params={{ slug }} search={{ tab: "settings" }} underline="always">
                {name}
              </TextLink>
            </li>
          ))}
        </ul>
      )}
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}
