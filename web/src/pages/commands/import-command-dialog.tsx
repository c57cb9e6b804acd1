import { FileInput, Modal, Stack, Textarea, TextInput } from "@mantine/core";
import { IconMarkdown } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { commandsKey } from "./commands.ts";

export function ImportCommandDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Import command" size="lg" closeOnClickOutside={false}>
      {opened && <ImportForm onClose={onClose} />}
    </Modal>
  );
}

function ImportForm({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [slug, setSlug] = useState("");
  const [markdown, setMarkdown] = useState("");
  const save = useMutation({
    mutationFn: () => api.importCommand({ body: { markdown, ...(slug.trim() !== "" && { slug: slug.trim() }) } }),
    onSuccess: async ({ data }) => {
      await queries.invalidateQueries({ queryKey: commandsKey });
      await navigate({ to: "/commands/$slug", params: { slug: data.slug } });
    },
  });
  const take = async (file: File | null) => {
    if (!file) return;
    setMarkdown(await file.text());
    setSlug(file.name.replace(/\.[^.]+$/, ""));
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Stack gap="md">
        <FileInput
          label="File"
          description="A command file of Claude Code (.claude/commands) or Cursor (.cursor/commands)"
          placeholder="Select a file"
          accept=".md,.markdown,text/markdown"
          leftSection={<IconMarkdown size={16} />}
          onChange={(file) => void take(file)}
        />
        <Textarea
          label="Markdown"
          description="The text of the file. You can paste it instead."
          autosize
          minRows={8}
          maxRows={18}
          className="gh-skill-source"
          value={markdown}
          onChange={(event) => setMarkdown(event.currentTarget.value)}
        />
        <TextInput
          label="Slug"
          description="The name by which people invoke it. Default: from the file"
          placeholder="fix-issue"
          value={slug}
          onChange={(event) => setSlug(event.currentTarget.value)}
        />
        <ErrorNote error={save.error} />
        <DialogActions onCancel={onClose} isWorking={save.isPending} isDisabled={markdown.trim() === ""}>
          Import command
        </DialogActions>
      </Stack>
    </form>
  );
}
