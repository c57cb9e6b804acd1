import { Button, Code, Select, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconKey, IconPlus, IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { allRows, type Column, DataTable } from "../../components/data-table.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { notifyFailure } from "../../components/notify.tsx";
import { RowAction } from "../../components/row-action.tsx";
import { SecretOnce } from "../../components/secret-once.tsx";
import { Section } from "../../components/section.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { TimeAgo } from "../../components/time-ago.tsx";

const LIFETIMES = [
  { value: "30", label: "After 30 days" },
  { value: "90", label: "After 90 days" },
  { value: "365", label: "After 1 year" },
];
const tokensKey = ["library-tokens"] as const;

type Token = Schemas["LibraryToken"];

const COLUMNS: ReadonlyArray<Column<Token>> = [
  { key: "name", header: "Name", render: ({ name }) => name },
  { key: "prefix", header: "Token", hideBelow: "sm", render: ({ prefix }) => <Code>{`${prefix}…`}</Code> },
  { key: "expires", header: "Expires", width: "9rem", render: ({ expires_at: at }) => <TimeAgo time={at} /> },
];

/** Tokens with which git and scripts fetch plugins and skills as the person. */
export function LibraryTokens() {
  const api = useApi();
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: tokensKey,
    queryFn: async ({ signal }) => (await api.listMyLibraryTokens({ signal })).data,
  });
  const remove = useMutation({
    mutationFn: (id: string) => api.deleteMyLibraryToken({ query: { id } }),
    onError: notifyFailure,
    onSettled: () => queries.invalidateQueries({ queryKey: tokensKey }),
  });
  const list = {
    ...allRows(query.data ?? []),
    isPending: query.isPending,
    error: query.error,
    retry: () => void query.refetch(),
  };
  const deleteAction = ({ id, name }: Token) => (
    <RowAction
      icon={IconTrash}
      label={`Delete token ${name}`}
      isWorking={remove.isPending && remove.variables === id}
      onClick={() => remove.mutate(id)}
    />
  );
  return (
    <Section
      title="Tokens for git and scripts"
      description="They fetch your plugins and skills, and cannot call tools. Git asks for one as the password, with any user name."
      actions={<CreateToken />}
    >
      <DataTable
        label="Tokens for git and scripts"
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowMenu={deleteAction}
        empty={
          <EmptyState icon={IconKey} title="No tokens">
            Create one for each computer that installs plugins.
          </EmptyState>
        }
      />
    </Section>
  );
}

function CreateToken() {
  const [isOpen, dialog] = useDisclosure();
  const [created, setCreated] = useState<{ readonly name: string; readonly token: string }>();
  const show = (name: string, token: string) => {
    dialog.close();
    setCreated({ name, token });
  };
  return (
    <>
      <Button variant="default" leftSection={<IconPlus size={16} />} onClick={dialog.open}>
        Create token
      </Button>
      <FormDialog
        opened={isOpen}
        onClose={dialog.close}
        title="Create token for git and scripts"
        closeOnClickOutside={false}
      >
        {isOpen && <TokenForm onClose={dialog.close} onCreated={show} />}
      </FormDialog>
      <SecretOnce
        title={`Token ${created?.name ?? ""}`}
        description="Paste it when git asks for a password. Only a hash is stored, so the token cannot be shown again."
        secrets={created ? [{ label: "Token", value: created.token }] : null}
        variables={{ GATEHOUSE_ACCESS_KEY: created?.token ?? "" }}
        fileName={created?.name ?? "token"}
        onClose={() => setCreated(undefined)}
      />
    </>
  );
}

function TokenForm({ onClose, onCreated }: { onClose(): void; onCreated(name: string, token: string): void }) {
  const api = useApi();
  const queries = useQueryClient();
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: { name: "", lifetime: "90" },
    fieldOf: (field) => (field === "expires_in_days" ? "lifetime" : field),
    validate: ({ name }) => (name.trim() === "" ? { name: "Enter a name" } : {}),
    submit: async ({ name, lifetime }) => {
      const body = { name: name.trim(), expires_in_days: Number(lifetime) };
      const { data } = await api.createMyLibraryToken({ body });
      onCreated(data.name, data.token ?? "");
      await queries.invalidateQueries({ queryKey: tokensKey });
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <TextInput label="Name" placeholder="Laptop" data-autofocus {...form.getInputProps("name")} />
        <Select label="Expires" data={LIFETIMES} allowDeselect={false} {...form.getInputProps("lifetime")} />
        <ErrorNote error={error} />
        <DialogActions onCancel={onClose} isWorking={isWorking}>
          Create token
        </DialogActions>
      </Stack>
    </form>
  );
}
