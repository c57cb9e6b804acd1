import { Modal, PasswordInput, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useApi } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { type Agent, agentsKey, PROVIDERS } from "./agents.ts";

export function CreateAgentDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Create agent" size="lg" closeOnClickOutside={false}>
      {opened && <CreateAgentForm onClose={onClose} />}
    </Modal>
  );
}

interface Values extends Record<string, unknown> {
  name: string;
  instructions: string;
  model: string;
  type: Agent["provider"]["type"];
  base_url: string;
  api_key: string;
}

const INITIAL: Values = { name: "", instructions: "", model: "", type: "anthropic", base_url: "", api_key: "" };

function CreateAgentForm({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { form, onSubmit, isWorking, error } = useServerForm<Values>({
    initial: INITIAL,
    fieldOf: (field) => field.replace(/^provider\./, ""),
    validate: ({ name, instructions, model, type, base_url: url }) => ({
      ...(name.trim() === "" && { name: "Enter a name" }),
      ...(instructions.trim() === "" && { instructions: "Enter the instructions" }),
      ...(model.trim() === "" && { model: "Enter the name of the model" }),
      ...(type === "openai-compatible" && url.trim() === "" && { base_url: "Enter the URL of the server" }),
    }),
    submit: async ({ name, instructions, model, type, base_url: url, api_key: key }) => {
      const provider = {
        type,
        ...(url.trim() !== "" && { base_url: url.trim() }),
        ...(key.trim() !== "" && { api_key: key.trim() }),
      };
      const body = { name: name.trim(), instructions, model: model.trim(), provider };
      const { data } = await api.createBackgroundAgent({ body });
      await queries.invalidateQueries({ queryKey: agentsKey });
      await navigate({ to: "/agents/$slug", params: { slug: data.slug }, search: { tab: "settings" } });
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <TextInput label="Name" placeholder="Issue triage" data-autofocus {...form.getInputProps("name")} />
        <Textarea
          label="Instructions"
          description="The system prompt: what the agent does, and how"
          autosize
          minRows={4}
          maxRows={14}
          {...form.getInputProps("instructions")}
        />
        <ProviderFields type={form.values.type} propsOf={(field) => form.getInputProps(field)} />
        <ErrorNote error={error} />
        <DialogActions onCancel={onClose} isWorking={isWorking}>
          Create agent
        </DialogActions>
      </Stack>
    </form>
  );
}

interface ProviderFieldsProps {
  readonly type: Agent["provider"]["type"];
  /** Whether a key is stored already. */
  readonly hasKey?: boolean;
  propsOf(field: "type" | "model" | "base_url" | "api_key"): object;
}

export function ProviderFields({ type, hasKey = false, propsOf }: ProviderFieldsProps) {
  return (
    <>
      <Select label="Provider" data={[...PROVIDERS]} allowDeselect={false} {...propsOf("type")} />
      <TextInput label="Model" description="Its name at the provider" {...propsOf("model")} />
      {type !== "scripted" && (
        <>
          <TextInput
            label="URL"
            description={type === "openai-compatible" ? "The base URL of its API" : "Empty: the provider's own"}
            placeholder="https://models.example.com/v1"
            {...propsOf("base_url")}
          />
          <PasswordInput
            label="API key"
            description={hasKey ? "A key is stored. Empty: keep it" : "It is encrypted and never shown again"}
            autoComplete="off"
            {...propsOf("api_key")}
          />
        </>
      )}
    </>
  );
}
