import { Radio, Stack, Textarea, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Schemas } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { type Agent, agentsKey, type DefaultProvider, defaultProviderQuery, PLATFORMS } from "./agents.ts";
import { PlatformFields } from "./platform-fields.tsx";
import { NEW_PLATFORM, type PlatformValues, platformBody, platformField } from "./platform-values.ts";
import { ProviderFields } from "./provider-fields.tsx";
import {
  modelBody,
  newProvider,
  type ProviderValues,
  providerBody,
  providerField,
  providerProblems,
} from "./provider-values.ts";

export function CreateAgentDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  // Loaded before the dialog opens: it decides which provider the form starts with, and a dialog that opens without its
  // form focuses the close button.
  const { data: installed = null, isPending } = useQuery(defaultProviderQuery(useApi()));
  const isOpen = opened && !isPending;
  return (
    <FormDialog opened={isOpen} onClose={onClose} title="Create agent" size="lg" closeOnClickOutside={false}>
      {isOpen && <CreateAgentForm installed={installed} onClose={onClose} />}
    </FormDialog>
  );
}

interface Values extends ProviderValues, PlatformValues {
  name: string;
  instructions: string;
  platform: Agent["platform"];
}

const INITIAL = { ...NEW_PLATFORM, name: "", instructions: "", platform: "builtin" } as const;

function CreateAgentForm({ installed, onClose }: { installed: DefaultProvider | null; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { form, onSubmit, isWorking, error } = useServerForm<Values>({
    initial: { ...newProvider(installed), ...INITIAL },
    fieldOf: (field) => (field.startsWith("platform_config.") ? platformField(field) : providerField(field)),
    validate: problemsOf,
    submit: async (values) => {
      const { data } = await api.createBackgroundAgent({ body: bodyOf(values) });
      await queries.invalidateQueries({ queryKey: agentsKey });
      await navigate({ to: "/agents/$slug", params: { slug: data.slug }, search: { tab: "settings" } });
    },
  });
  const { platform, type } = form.values;
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <TextInput label="Name" placeholder="Issue triage" data-autofocus {...form.getInputProps("name")} />
        <Textarea
          label="Instructions"
          description="The system prompt: the agent's task and its rules"
          autosize
          minRows={4}
          maxRows={14}
          {...form.getInputProps("instructions")}
        />
        <Radio.Group
          label="Platform"
          description="Where sessions run. It cannot change later"
          {...form.getInputProps("platform")}
        >
          <Stack gap="xs" mt="xs">
            {PLATFORMS.map(({ value, label, description }) => (
              <Radio key={value} value={value} label={label} description={description} />
            ))}
          </Stack>
        </Radio.Group>
        {platform === "builtin" ? (
          <ProviderFields type={type} installed={installed} propsOf={(field) => form.getInputProps(field)} />
        ) : (
          <>
            <TextInput
              label="Model"
              description={platform === "webhook" ? "Sent to the runner" : "A model that Claude Managed Agents offers"}
              placeholder="claude-sonnet-4-5"
              {...form.getInputProps("model")}
            />
            <PlatformFields
              platform={platform}
              propsOf={(field) => form.getInputProps(field)}
              setSecret={(secret) => form.setFieldValue("secret", secret)}
            />
          </>
        )}
        <ErrorNote error={error} />
        <DialogActions onCancel={onClose} isWorking={isWorking}>
          Create agent
        </DialogActions>
      </Stack>
    </form>
  );
}

function problemsOf(values: Values): Partial<Record<keyof Values & string, string>> {
  const { name, instructions, platform, model, url, secret, api_key: key } = values;
  const required = {
    ...(name.trim() === "" && { name: "Enter a name" }),
    ...(instructions.trim() === "" && { instructions: "Enter the instructions" }),
  };
  if (platform === "builtin") return { ...required, ...providerProblems(values) };
  return {
    ...required,
    ...(model.trim() === "" && { model: "Enter the model's name" }),
    ...(platform === "webhook" && url.trim() === "" && { url: "Enter the URL of the runner" }),
    ...(platform === "webhook" && secret.trim() === "" && { secret: "Enter or generate a secret" }),
    ...(platform === "anthropic" && key.trim() === "" && { api_key: "Enter the API key" }),
  };
}

function bodyOf(values: Values): Schemas["CreateBackgroundAgent"] {
  const { name, instructions, platform, model } = values;
  const common = { name: name.trim(), instructions, platform };
  if (platform === "builtin") return { ...common, model: modelBody(values), provider: providerBody(values) };
  return { ...common, model: model.trim(), platform_config: platformBody(platform, values) };
}
