import { Button, Group, PasswordInput, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { useDialogWork } from "../../components/form-dialog.tsx";
import { Note } from "../../components/note.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { connectionsKey } from "./connections.ts";

/** The key is tested before it is saved. */
export function KeyForm({ slug, of }: { slug: string; of: string | undefined }) {
  const api = useApi();
  const queries = useQueryClient();
  const [result, setResult] = useState<{ verified: boolean; message?: string | undefined }>();
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: { key: "" },
    validate: ({ key }) => (key.trim() === "" ? { key: "Enter your API key" } : {}),
    submit: async ({ key }) => {
      setResult(undefined);
      const { data } = await api.setMyApiKey({ query: { mcp: slug, for: of }, body: { key: key.trim() } });
      form.reset();
      setResult(data);
      await queries.invalidateQueries({ queryKey: connectionsKey });
    },
  });
  useDialogWork(isWorking);
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="sm">
        <PasswordInput
          label="API key"
          autoComplete="off"
          spellCheck={false}
          data-1p-ignore
          {...form.getInputProps("key")}
        />
        <ErrorNote error={error} />
        {result && (
          <Note tone={result.verified ? "good" : "warn"}>
            {result.verified
              ? "Saved. The connection works."
              : (result.message ?? "Saved. The key could not be tested.")}
          </Note>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={isWorking}>
            Save key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
