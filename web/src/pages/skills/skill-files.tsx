import { ActionIcon, Button, FileButton, Group, Switch, Textarea, TextInput, Tooltip } from "@mantine/core";
import { IconFile, IconFilePlus, IconTrash, IconUpload } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useRights } from "../../api/context.tsx";
import { useDraft } from "../../components/draft.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { LeaveDialog } from "../../components/leave-dialog.tsx";
import { OutdatedNote } from "../../components/outdated-note.tsx";
import { bytes } from "../logs/call-labels.ts";
import { type DraftFile, draftsOf, pathProblem, requestFiles, withFile, withText } from "./draft-files.ts";
import { useSaveSkill } from "./save-skill.ts";
import { type SkillDetail, toBase64 } from "./skills.ts";

const route = getRouteApi("/skills/$slug");

/** All files except SKILL.md. Changes are saved together, as one version. */
export function SkillFiles({ skill }: { skill: SkillDetail }) {
  const { changes } = useRights();
  const { file: selected } = route.useSearch();
  const navigate = route.useNavigate();
  const save = useSaveSkill(skill);
  const stored = useMemo((): readonly DraftFile[] => draftsOf(skill.files), [skill.files]);
  const { value: drafts, set: setDrafts, isEdited, ...draft } = useDraft(stored, save.isPending);
  const open = drafts.find(({ path }) => path === selected) ?? drafts[0];
  const select = (file: string | undefined) => void navigate({ search: { tab: "files", file }, replace: true });
  const add = (file: DraftFile) => {
    setDrafts(withFile(drafts, file));
    select(file.path);
  };
  return (
    <div className="gh-skill-editor">
      {changes && (
        <div className="gh-skill-bar">
          <AddFile drafts={drafts} onAdd={add} />
          <Group gap="xs" ml="auto">
            {isEdited && <span className="gh-dim">Unsaved changes</span>}
            {isEdited && (
              <Button variant="default" onClick={draft.discard} disabled={save.isPending}>
                Discard
              </Button>
            )}
            <Button
              onClick={() => save.mutate({ files: requestFiles(drafts) }, { onSuccess: () => draft.finish(drafts) })}
              loading={save.isPending}
              disabled={!isEdited}
            >
              Save changes
            </Button>
          </Group>
        </div>
      )}
      {draft.isOutdated && <OutdatedNote onReload={draft.discard} />}
      <LeaveDialog isEdited={isEdited} />
      <ErrorNote error={save.error} />
      {open ? (
        <div className="gh-skill-files">
          <FileTree drafts={drafts} open={open.path} onSelect={select} />
          <OpenFile
            file={open}
            canChange={changes}
            onText={(text) => setDrafts(withText(drafts, open.path, text))}
            onExecutable={(executable) => setDrafts(withFile(drafts, { ...open, executable }))}
            onRemove={() => setDrafts(drafts.filter(({ path }) => path !== open.path))}
          />
        </div>
      ) : (
        <EmptyState icon={IconFile} title="No files yet">
          Scripts, references, and templates that the instructions mention. Models read them when they need them.
        </EmptyState>
      )}
    </div>
  );
}

function AddFile({ drafts, onAdd }: { drafts: readonly DraftFile[]; onAdd(file: DraftFile): void }) {
  const [path, setPath] = useState("");
  const [problem, setProblem] = useState<string>();
  const upload = async (file: File | null) => {
    if (!file) return;
    const content = new Uint8Array(await file.arrayBuffer());
    const folder = path.endsWith("/") ? path : "";
    onAdd({ path: folder + file.name, executable: false, base64: toBase64(content), size: content.length });
  };
  return (
    <form
      className="gh-skill-add"
      onSubmit={(event) => {
        event.preventDefault();
        const found = pathProblem(drafts, path);
        setProblem(found);
        if (found !== undefined) return;
        onAdd({ path, executable: false, text: "", size: 0 });
        setPath("");
      }}
    >
      <TextInput
        aria-label="Path of the new file"
        placeholder="scripts/run.sh"
        value={path}
        error={problem}
        onChange={(event) => {
          setPath(event.currentTarget.value);
          setProblem(undefined);
        }}
      />
      <Button type="submit" variant="default" leftSection={<IconFilePlus size={16} />}>
        Add file
      </Button>
      <FileButton onChange={(file) => void upload(file)}>
        {(props) => (
          <Button {...props} variant="default" leftSection={<IconUpload size={16} />}>
            Upload
          </Button>
        )}
      </FileButton>
    </form>
  );
}

interface FileTreeProps {
  readonly drafts: readonly DraftFile[];
  readonly open: string;
  onSelect(path: string): void;
}

/** Files below the names of their folders. */
function FileTree({ drafts, open, onSelect }: FileTreeProps) {
  const byFolder = Map.groupBy(drafts, ({ path }) => path.slice(0, path.lastIndexOf("/") + 1));
  return (
    <nav aria-label="Files" className="gh-skill-tree">
      {[...byFolder].map(([folder, files]) => (
        <div key={folder}>
          {folder !== "" && <div className="gh-skill-folder">{folder}</div>}
          {files.map(({ path }) => (
            <button
              key={path}
              type="button"
              aria-current={path === open ? "true" : undefined}
              onClick={() => onSelect(path)}
            >
              {path.slice(folder.length)}
            </button>
          ))}
        </div>
      ))}
    </nav>
  );
}

interface OpenFileProps {
  readonly file: DraftFile;
  readonly canChange: boolean;
  onText(text: string): void;
  onExecutable(executable: boolean): void;
  onRemove(): void;
}

function OpenFile({ file, canChange, onText, onExecutable, onRemove }: OpenFileProps) {
  return (
    <div className="gh-skill-file">
      <Group gap="xs">
        <code className="gh-truncate">{file.path}</code>
        <span className="gh-dim gh-skill-size">{bytes(file.size)}</span>
        <Switch
          label="Executable"
          checked={file.executable}
          disabled={!canChange}
          onChange={(event) => onExecutable(event.currentTarget.checked)}
        />
        {canChange && (
          <Tooltip label={`Remove ${file.path}`}>
            <ActionIcon aria-label={`Remove ${file.path}`} onClick={onRemove}>
              <IconTrash size={16} />
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
      {file.text === undefined ? (
        <EmptyState icon={IconFile} title="No preview">
          This file is not text. Upload a file with the same name to replace it.
        </EmptyState>
      ) : (
        <Textarea
          aria-label={`Content of ${file.path}`}
          className="gh-skill-source"
          autosize
          minRows={16}
          maxRows={40}
          value={file.text}
          readOnly={!canChange}
          onChange={(event) => onText(event.currentTarget.value)}
        />
      )}
    </div>
  );
}
