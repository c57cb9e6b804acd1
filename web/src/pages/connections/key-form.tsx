import { Button, Group, PasswordInput, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { Note } from "../../components/note.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { connectionsKey } from "./connections.ts";

/** The server is asked whether it takes the key before the key is kept. */
export function KeyForm({ slug, of }: { slug: string; of: string | undefined }) {
  const api = useApi();
  const queries = useQueryClient();
  const [told, setTold] = useState<{ verified: boolean; message?: string | undefined }>();
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: { key: "" },
    validate: ({ key }) => (key.trim() === "" ? { key: "Paste your key" } : {}),
    submit: async ({ key }) => {
      setTold(undefined);
      const { data } = await api.setMyApiKey({ query: { mcp: slug, for: of }, body: { key: key.trim() } });
      form.reset();
      setTold(data);
      await queries.invalidateQueries({ queryKey: connectionsKey });
    },
  });
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
        {told && (
          <Note tone={told.verified ? "good" : "warn"}>
            {told.verified
              ? "The server took the key. You are connected."
              : (told.message ?? "The key is kept; the server could not be asked.")}
          </Note>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={isWorking}>
            Test and keep
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
