import { Button, Group, Stack, TagsInput, Text, Textarea, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useRights } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { Section } from "../../components/section.tsx";
import { useServerForm } from "../../components/server-form.ts";
import type { Plugin, PluginAgent } from "./plugins.ts";
import { useSavePlugin } from "./save-plugin.ts";

/** Subagents that clients get with the plugin. */
export function PluginAgents({ plugin }: { plugin: Plugin }) {
  const { changes } = useRights();
  const save = useSavePlugin(plugin);
  /** The position of the edited agent; the number of agents for a new one. */
  const [edited, setEdited] = useState<number>();
  const { agents } = plugin;
  return (
    <Section
      title="Agents"
      description="Subagents with instructions, which Claude Code and Cursor run for a task."
      actions={
        changes && (
          <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setEdited(agents.length)}>
            Add agent
          </Button>
        )
      }
    >
      {agents.length === 0 && <span className="gh-dim">No agents</span>}
      <ul className="gh-plugin-agents" aria-label="Agents">
        {agents.map((agent, at) => (
          <li key={agent.name}>
            <div>
              <Text fw={500}>{agent.name}</Text>
              <Text size="sm" c="dimmed">
                {agent.description}
              </Text>
            </div>
            {changes && (
              <Group gap="xs" wrap="nowrap">
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={`Edit ${agent.name}`}
                  onClick={() => setEdited(at)}
                >
                  Edit
                </Button>
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={`Remove ${agent.name}`}
                  loading={save.isPending}
                  onClick={() => save.mutate({ agents: agents.filter((_, other) => other !== at) })}
                >
                  Remove
                </Button>
              </Group>
            )}
          </li>
        ))}
      </ul>
      <ErrorNote error={save.error} />
      <FormDialog
        opened={edited !== undefined}
        onClose={() => setEdited(undefined)}
        title={edited !== undefined && edited < agents.length ? "Edit agent" : "Add agent"}
        size="lg"
        closeOnClickOutside={false}
      >
        {edited !== undefined && <AgentForm plugin={plugin} at={edited} onClose={() => setEdited(undefined)} />}
      </FormDialog>
    </Section>
  );
}

function AgentForm({ plugin, at, onClose }: { plugin: Plugin; at: number; onClose: () => void }) {
  const save = useSavePlugin(plugin);
  const { agents } = plugin;
  const before = agents[at];
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: {
      ...{ name: before?.name ?? "", description: before?.description ?? "", content: before?.content ?? "" },
      ...{ model: before?.model ?? "", tools: [...(before?.tools ?? [])] },
    },
    validate: ({ name, description, content }): { name?: string; description?: string; content?: string } => ({
      ...(name.trim() === "" && { name: "Enter a name" }),
      ...(description.trim() === "" && { description: "Enter a description" }),
      ...(content.trim() === "" && { content: "Enter the instructions" }),
    }),
    fieldOf: (field) => field.replace(new RegExp(`^agents\\.${at}\\.`), ""),
    submit: async ({ name, description, content, model, tools }) => {
      const agent: PluginAgent = {
        ...{ name: name.trim(), description: description.trim(), content },
        ...(model.trim() !== "" && { model: model.trim() }),
        ...(tools.length > 0 && { tools }),
      };
      await save.mutateAsync({ agents: [...agents.slice(0, at), agent, ...agents.slice(at + 1)] });
      onClose();
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <TextInput label="Name" placeholder="reviewer" data-autofocus {...form.getInputProps("name")} />
        <TextInput
          label="Description"
          description="When the client should use the agent"
          {...form.getInputProps("description")}
        />
        <Textarea
          label="Instructions"
          description="Markdown"
          autosize
          minRows={6}
          maxRows={18}
          {...form.getInputProps("content")}
        />
        <TagsInput label="Tools" description="Tools of the client. Empty: all" {...form.getInputProps("tools")} />
        <TextInput label="Model" description="Empty: the model of the client" {...form.getInputProps("model")} />
        <ErrorNote error={error} />
        <DialogActions onCancel={onClose} isWorking={isWorking}>
          {before ? "Save changes" : "Add agent"}
        </DialogActions>
      </Stack>
    </form>
  );
}
