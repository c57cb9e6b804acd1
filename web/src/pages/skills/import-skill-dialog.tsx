import { FileInput, SegmentedControl, Stack, Switch, Textarea } from "@mantine/core";
import { IconFileZip } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Schemas } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { Findings } from "./findings.tsx";
import { skillsKey, toBase64 } from "./skills.ts";

type Body = Schemas["ImportSkill"];
type Source = "zip" | "paste";

export function ImportSkillDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <FormDialog opened={opened} onClose={onClose} title="Import skill" size="lg" closeOnClickOutside={false}>
      {opened && <ImportForm onClose={onClose} />}
    </FormDialog>
  );
}

function ImportForm({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [source, setSource] = useState<Source>("zip");
  const [file, setFile] = useState<File | null>(null);
  const [text, setText] = useState("");
  const [overwrite, setOverwrite] = useState(false);
  const isGiven = source === "zip" ? file !== null : text.trim() !== "";
  const body = async (): Promise<Body> => {
    if (source === "paste" || !file) return { skill_md: text };
    return { archive_base64: toBase64(new Uint8Array(await file.arrayBuffer())) };
  };
  const validation = useQuery({
    queryKey: [
      ...skillsKey,
      "validation",
      source,
      source === "zip" ? [file?.name, file?.lastModified, file?.size] : text,
    ],
    queryFn: async ({ signal }) => (await api.validateSkill({ body: await body(), signal })).data,
    enabled: isGiven,
    retry: false,
  });
  const save = useMutation({
    mutationFn: async () => api.importSkill({ query: { overwrite }, body: await body() }),
    onSuccess: async ({ data }) => {
      await queries.invalidateQueries({ queryKey: skillsKey });
      await navigate({ to: "/skills/$slug", params: { slug: data.slug } });
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Stack gap="md">
        <SegmentedControl
          aria-label="Source"
          value={source}
          onChange={(value) => setSource(value === "paste" ? "paste" : "zip")}
          data={[
            { value: "zip", label: "ZIP file" },
            { value: "paste", label: "Paste SKILL.md" },
          ]}
        />
        {source === "zip" ? (
          <FileInput
            label="ZIP file"
            description="SKILL.md at the top or in the only folder. At most 512 files and 16 MB when unpacked."
            placeholder="Select a file"
            accept=".zip,application/zip"
            leftSection={<IconFileZip size={16} />}
            value={file}
            onChange={setFile}
            clearable
          />
        ) : (
          <Textarea
            label="SKILL.md"
            description="With its front matter"
            placeholder={"---\nname: release-notes\ndescription: Writes release notes.\n---\n"}
            autosize
            minRows={10}
            maxRows={20}
            className="gh-skill-source"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        {validation.data && isGiven && <Findings validation={validation.data} />}
        <Switch
          label="Add a version if the skill exists"
          checked={overwrite}
          onChange={(event) => setOverwrite(event.currentTarget.checked)}
        />
        <ErrorNote error={save.error ?? validation.error} />
        <DialogActions onCancel={onClose} isWorking={save.isPending} isDisabled={!validation.data?.valid}>
          Import skill
        </DialogActions>
      </Stack>
    </form>
  );
}
