import { Checkbox, Modal, Select, Stack, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { SecretOnce, type SecretValue } from "../../components/secret-once.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { apiTokensKey, SCOPES, type Scope } from "./api-tokens.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const LIFETIMES = [
  { value: "30", label: "After 30 days" },
  { value: "90", label: "After 90 days" },
  { value: "365", label: "After a year" },
  { value: "never", label: "Never" },
];

interface CreateTokenProps {
  readonly opened: boolean;
  onClose(): void;
}

export function CreateToken({ opened, onClose }: CreateTokenProps) {
  const [made, setMade] = useState<{ name: string; secrets: readonly SecretValue[] }>();
  return (
    <>
      <Modal opened={opened && !made} onClose={onClose} title="Create an API token" closeOnClickOutside={false}>
        {opened && (
          <TokenForm
            onClose={onClose}
            onMade={(name, token) => setMade({ name, secrets: [{ label: "Token", value: token }] })}
          />
        )}
      </Modal>
      <SecretOnce
        title={made?.name ?? ""}
        description="Send it as Authorization: Bearer. Only a hash of it is kept here, so nobody can show it to you again."
        secrets={made?.secrets ?? null}
        variables={{ GATEHOUSE_TOKEN: made?.secrets[0]?.value ?? "" }}
        fileName={made?.name ?? "token"}
        onClose={() => {
          setMade(undefined);
          onClose();
        }}
      />
    </>
  );
}

function TokenForm({ onClose, onMade }: { onClose: () => void; onMade: (name: string, token: string) => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const initial: { name: string; scopes: Scope[]; lifetime: string } = {
    name: "",
    scopes: ["admin:read"],
    lifetime: "90",
  };
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial,
    fieldOf: (field) => (field === "expires_at" ? "lifetime" : field.replace(/\..*/, "")),
    validate: ({ name, scopes }) => ({
      ...(name.trim() === "" ? { name: "Say what it is for" } : {}),
      ...(scopes.length === 0 ? { scopes: "Choose what it may do" } : {}),
    }),
    submit: async ({ name, scopes, lifetime }) => {
      const end = lifetime === "never" ? null : new Date(Date.now() + Number(lifetime) * DAY_MS).toISOString();
      const { data, token } = await api.createApiToken({ body: { name: name.trim(), scopes, expires_at: end } });
      onMade(data.name, token ?? "");
      await queries.invalidateQueries({ queryKey: apiTokensKey });
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <TextInput label="Name" placeholder="Nightly report" data-autofocus {...form.getInputProps("name")} />
        <Checkbox.Group label="It may" {...form.getInputProps("scopes")}>
          <Stack gap={6} mt={6}>
            {SCOPES.map(({ value, label, words }) => (
              <Checkbox key={value} value={value} label={label} description={words} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Select label="It ends" data={LIFETIMES} allowDeselect={false} {...form.getInputProps("lifetime")} />
        <ErrorNote error={error} />
        <DialogActions onCancel={onClose} isWorking={isWorking}>
          Create token
        </DialogActions>
      </Stack>
    </form>
  );
}
