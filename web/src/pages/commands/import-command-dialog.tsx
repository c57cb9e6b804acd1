import { FileInput, SegmentedControl, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { IconFileText } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { commandsKey } from "./commands.ts";

export function ImportCommandDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <FormDialog opened={opened} onClose={onClose} title="Import command" size="lg" closeOnClickOutside={false}>
      {opened && <ImportForm onClose={onClose} />}
    </FormDialog>
  );
}

function ImportForm({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [slug, setSlug] = useState("");
  const [text, setText] = useState("");
  const [isToml, setToml] = useState(false);
  const save = useMutation({
    mutationFn: () =>
      api.importCommand({
        body: { ...(isToml ? { toml: text } : { markdown: text }), ...(slug.trim() !== "" && { slug: slug.trim() }) },
      }),
    onSuccess: async ({ data }) => {
      await queries.invalidateQueries({ queryKey: commandsKey });
      await navigate({ to: "/commands/$slug", params: { slug: data.slug } });
    },
  });
  const take = async (file: File | null) => {
    if (!file) return;
    setText(await file.text());
    setToml(file.name.endsWith(".toml"));
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
          description="From .claude/commands, .cursor/commands or .gemini/commands"
          placeholder="Select a file"
          accept=".md,.markdown,.toml"
          leftSection={<IconFileText size={16} />}
          onChange={(file) => void take(file)}
        />
        <Stack gap="xs">
          <Text size="sm" fw={500} id="command-format">
            Format
          </Text>
          <SegmentedControl
            aria-labelledby="command-format"
            data={[
              { value: "markdown", label: "Claude Code or Cursor" },
              { value: "toml", label: "Gemini CLI" },
            ]}
            value={isToml ? "toml" : "markdown"}
            onChange={(format) => setToml(format === "toml")}
          />
        </Stack>
        <Textarea
          label="Text"
          description="The text of the file. You can paste it instead."
          autosize
          minRows={8}
          maxRows={18}
          className="gh-skill-source"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <TextInput
          label="Slug"
          description="The name by which people invoke it. Default: from the file"
          placeholder="fix-issue"
          value={slug}
          onChange={(event) => setSlug(event.currentTarget.value)}
        />
        <ErrorNote error={save.error} />
        <DialogActions onCancel={onClose} isWorking={save.isPending} isDisabled={text.trim() === ""}>
          Import command
        </DialogActions>
      </Stack>
    </form>
  );
}
