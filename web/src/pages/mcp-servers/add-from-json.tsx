import { Button, Checkbox, Group, PasswordInput, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { fillPlaceholders } from "#openapi/jsonc";
import { useApi } from "../../api/context.tsx";
import { describeFailure } from "../../components/failure.ts";
import { useDialogWork } from "../../components/form-dialog.tsx";
import { Note } from "../../components/note.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { type FoundServer, freeSlug, readMcpJson, slugFromName } from "./read-mcp-json.ts";
import { fetchServerNames, serversKey } from "./servers.ts";
import "./add-from-json.css";

const PLACEHOLDER = `{
  "mcpServers": {
    "linear": { "url": "https://mcp.linear.app/mcp" }
  }
}`;

/** The result of a creation; `slug` differs from the wanted one if it was taken meanwhile. */
type Outcome = { readonly slug: string } | { readonly problem: string };

interface Choice {
  readonly server: FoundServer;
  /** Its position in the file. */
  readonly at: number;
  readonly slug: string;
  /** Values of variables, by placeholder. */
  readonly values: ReadonlyMap<string, string>;
}

export function AddFromJson({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const [edits, setEdits] = useState<ReadonlyMap<number, Edits>>(new Map());
  const { outcomes, isWorking, addAll, forget } = useAdding();
  useDialogWork(isWorking);
  const taken = useTakenSlugs();
  const read = readMcpJson(text);
  const servers = "servers" in read ? read.servers : [];
  const slugs = proposedSlugs(servers, edits, taken);
  const chosen = servers.flatMap((server, at): Choice[] => {
    const { isExcluded = false, values = NO_VALUES } = edits.get(at) ?? {};
    const canAdd = server.url !== undefined && !isExcluded && !isAdded(outcomes.get(at));
    return canAdd ? [{ server, at, slug: slugs[at] ?? "", values }] : [];
  });
  const isComplete = chosen.every(({ server, values }) =>
    server.variables.every(({ placeholder }) => (values.get(placeholder) ?? "") !== ""),
  );
  const addedCount = [...outcomes.values()].filter(isAdded).length;
  const change = (next: string) => {
    setText(next);
    setEdits(new Map());
    forget();
  };
  const edit = (at: number, next: Edits) => setEdits((old) => new Map(old).set(at, { ...old.get(at), ...next }));
  return (
    <Stack gap="md">
      <Textarea
        label="mcp.json"
        description="The configuration file of Claude, Cursor, VS Code, or another MCP client. Headers become a shared credential."
        placeholder={PLACEHOLDER}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
        autosize
        minRows={6}
        maxRows={14}
        spellCheck={false}
        classNames={{ input: "gh-json-input" }}
        data-autofocus
      />
      {"problem" in read && <Note tone="warn">{read.problem}</Note>}
      {servers.length > 0 && (
        <ul className="gh-found">
          {servers.map((server, at) => (
            <Found
              // biome-ignore lint/suspicious/noArrayIndexKey: a file can contain two servers with one name, so the position identifies them.
              key={at}
              server={server}
              slug={slugs[at] ?? ""}
              isTaken={taken.has(slugFromName(server.name))}
              edits={edits.get(at) ?? {}}
              outcome={outcomes.get(at)}
              disabled={isWorking}
              onEdit={(next) => edit(at, next)}
            />
          ))}
        </ul>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose} disabled={isWorking}>
          {addedCount > 0 ? "Done" : "Cancel"}
        </Button>
        <Button
          disabled={chosen.length === 0 || !isComplete}
          loading={isWorking}
          onClick={() => void addAll(chosen).then((all) => all && onClose())}
        >
          {chosen.length > 1 ? `Add ${chosen.length} servers` : "Add server"}
        </Button>
      </Group>
    </Stack>
  );
}

interface Edits {
  readonly isExcluded?: boolean;
  readonly slug?: string;
  readonly values?: ReadonlyMap<string, string>;
}

const NO_VALUES: ReadonlyMap<string, string> = new Map();

function isAdded(outcome: Outcome | undefined): outcome is { readonly slug: string } {
  return outcome !== undefined && "slug" in outcome;
}

/** A slug for each server, different from those of existing servers and of the servers above it. */
function proposedSlugs(
  servers: readonly FoundServer[],
  edits: ReadonlyMap<number, Edits>,
  existing: ReadonlySet<string>,
): string[] {
  const taken = new Set(existing);
  return servers.map((server, at) => {
    const slug = edits.get(at)?.slug ?? freeSlug(slugFromName(server.name), taken);
    taken.add(slug);
    return slug;
  });
}

/** Empty until the list is loaded; the API never overwrites a server. */
function useTakenSlugs(): ReadonlySet<string> {
  const api = useApi();
  const { data } = useQuery({ queryKey: [...serversKey, "slugs"], queryFn: () => fetchServerNames(api, {}) });
  return new Set(data?.keys());
}

interface FoundProps {
  readonly server: FoundServer;
  readonly slug: string;
  readonly isTaken: boolean;
  readonly edits: Edits;
  readonly outcome: Outcome | undefined;
  readonly disabled: boolean;
  onEdit(edits: Edits): void;
}

function Found({ server, slug, isTaken, edits, outcome, disabled, onEdit }: FoundProps) {
  const { name, url, problem } = server;
  const added = isAdded(outcome);
  const canAdd = url !== undefined && !added;
  const isChosen = canAdd && !edits.isExcluded;
  return (
    <li>
      <Checkbox
        aria-label={`Add ${name}`}
        checked={canAdd ? isChosen : added}
        disabled={!canAdd || disabled}
        onChange={() => onEdit({ isExcluded: isChosen })}
      />
      <div className="gh-found-words">
        <Text size="sm" fw={500} truncate>
          {name}
        </Text>
        <Text size="xs" c="dimmed" truncate={problem === undefined}>
          {problem ?? url}
        </Text>
        {server.headers.map(([header]) => (
          <Text size="xs" c="dimmed" key={header} truncate>
            Shared credential: <code>{`${header}: ••••••••`}</code>
          </Text>
        ))}
        {isChosen && <FoundInputs {...{ server, slug, isTaken, edits, disabled, onEdit }} />}
        {outcome && !added && (
          <Text size="xs" c="var(--mantine-color-error)">
            {outcome.problem}
          </Text>
        )}
      </div>
      {added && <StatusPill tone="good">{`Added as ${outcome.slug}`}</StatusPill>}
    </li>
  );
}

function FoundInputs({ server, slug, isTaken, edits, disabled, onEdit }: Omit<FoundProps, "outcome">) {
  const { values = NO_VALUES } = edits;
  return (
    <>
      {(isTaken || edits.slug !== undefined) && (
        <TextInput
          size="xs"
          mt={4}
          label={`Slug of ${server.name}`}
          description={`${slugFromName(server.name)} exists. The new server is created with this slug.`}
          value={slug}
          disabled={disabled}
          spellCheck={false}
          onChange={(event) => onEdit({ slug: event.currentTarget.value })}
        />
      )}
      {server.variables.map(({ placeholder, label }) => (
        <PasswordInput
          key={placeholder}
          size="xs"
          mt={4}
          label={label}
          description={`Replaces ${placeholder} in the headers of ${server.name}.`}
          autoComplete="off"
          value={values.get(placeholder) ?? ""}
          disabled={disabled}
          onChange={(event) => onEdit({ values: new Map(values).set(placeholder, event.currentTarget.value) })}
        />
      ))}
    </>
  );
}

/** Adds servers in sequence. A rejected one does not stop the others, and can be tried again. */
function useAdding() {
  const api = useApi();
  const queries = useQueryClient();
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, Outcome>>(new Map());
  const [isWorking, setWorking] = useState(false);
  const addAll = async (chosen: readonly Choice[]): Promise<boolean> => {
    setWorking(true);
    let isComplete = true;
    for (const choice of chosen) {
      const outcome = await api.createMcpServer({ body: bodyOf(choice) }).then(
        ({ data }): Outcome => ({ slug: data.slug }),
        (error): Outcome => ({ problem: describeFailure(error).detail ?? "The request was rejected" }),
      );
      // A slug that was taken meanwhile must be seen, so the dialog stays open.
      if (!isAdded(outcome) || outcome.slug !== choice.slug) isComplete = false;
      setOutcomes((old) => new Map(old).set(choice.at, outcome));
    }
    setWorking(false);
    await queries.invalidateQueries({ queryKey: serversKey });
    return isComplete;
  };
  return { outcomes, isWorking, addAll, forget: () => setOutcomes(new Map()) };
}

function bodyOf({ server: { name, url = "", transport, headers }, slug, values }: Choice) {
  const filled = headers.map(([header, value]) => [header, fillPlaceholders(value, values)] as const);
  return {
    name,
    slug,
    upstream: { type: transport, url, ...(filled.length > 0 ? { headers: Object.fromEntries(filled) } : {}) },
  };
}
