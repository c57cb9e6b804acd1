import { Button, Checkbox, Group, Stack, Text, Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { describeFailure } from "../../components/failure.ts";
import { Note } from "../../components/note.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { type FoundServer, readMcpJson } from "./read-mcp-json.ts";
import { AUTH_WORDS, serversKey } from "./servers.ts";
import "./add-from-json.css";

const PLACEHOLDER = `{
  "mcpServers": {
    "linear": { "url": "https://mcp.linear.app/mcp" }
  }
}`;

/** How far each server of the file is, by its place in it. */
type Outcome = "added" | { readonly fault: string };

export function AddFromJson({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const [leftOut, setLeftOut] = useState<ReadonlySet<number>>(new Set());
  const { outcomes, isWorking, addAll, forget } = useAdding();
  const read = readMcpJson(text);
  const servers = "servers" in read ? read.servers : [];
  const chosen = servers.flatMap((server, at) =>
    server.url !== undefined && !leftOut.has(at) && outcomes.get(at) !== "added" ? [{ server, at }] : [],
  );
  const addedCount = [...outcomes.values()].filter((outcome) => outcome === "added").length;
  const change = (next: string) => {
    setText(next);
    setLeftOut(new Set());
    forget();
  };
  const toggle = (at: number) =>
    setLeftOut((old) => (old.has(at) ? new Set([...old].filter((n) => n !== at)) : new Set([...old, at])));
  return (
    <Stack gap="md">
      <Textarea
        label="mcp.json"
        description="The configuration of Claude, Cursor, VS Code or another client. Keys in it stay here: each user brings their own."
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
      {"fault" in read && <Note tone="warn">{read.fault}</Note>}
      {servers.length > 0 && (
        <ul className="gh-found">
          {servers.map((server, at) => (
            <Found
              // biome-ignore lint/suspicious/noArrayIndexKey: a file may name two servers alike; their place tells them apart.
              key={at}
              server={server}
              outcome={outcomes.get(at)}
              checked={!leftOut.has(at)}
              disabled={isWorking}
              onToggle={() => toggle(at)}
            />
          ))}
        </ul>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose} disabled={isWorking}>
          {addedCount > 0 ? "Done" : "Cancel"}
        </Button>
        <Button
          disabled={chosen.length === 0}
          loading={isWorking}
          onClick={() => void addAll(chosen).then((all) => all && onClose())}
        >
          {chosen.length > 1 ? `Add ${chosen.length} servers` : "Add server"}
        </Button>
      </Group>
    </Stack>
  );
}

interface FoundProps {
  readonly server: FoundServer;
  readonly outcome: Outcome | undefined;
  readonly checked: boolean;
  readonly disabled: boolean;
  onToggle(): void;
}

function Found({ server, outcome, checked, disabled, onToggle }: FoundProps) {
  const { name, url, authType, because } = server;
  const canAdd = url !== undefined && outcome !== "added";
  return (
    <li>
      <Checkbox
        aria-label={`Add ${name}`}
        checked={canAdd ? checked : outcome === "added"}
        disabled={!canAdd || disabled}
        onChange={onToggle}
      />
      <div className="gh-found-words">
        <Text size="sm" fw={500} truncate>
          {name}
        </Text>
        <Text size="xs" c="dimmed" truncate={because === undefined}>
          {because ?? `${url} · ${AUTH_WORDS[authType]}`}
        </Text>
        {typeof outcome === "object" && (
          <Text size="xs" c="red">
            {outcome.fault}
          </Text>
        )}
      </div>
      {outcome === "added" && <StatusPill tone="good">Added</StatusPill>}
    </li>
  );
}

/** One after the other; one that is refused holds up none of the others and can be tried again. */
function useAdding() {
  const api = useApi();
  const queries = useQueryClient();
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, Outcome>>(new Map());
  const [isWorking, setWorking] = useState(false);
  const addAll = async (chosen: ReadonlyArray<{ server: FoundServer; at: number }>): Promise<boolean> => {
    setWorking(true);
    let faults = 0;
    for (const { server, at } of chosen) {
      const outcome = await api.createMcpServer({ body: bodyOf(server) }).then(
        (): Outcome => "added",
        (error): Outcome => ({ fault: describeFailure(error).detail ?? "It was not accepted" }),
      );
      if (outcome !== "added") faults += 1;
      setOutcomes((old) => new Map(old).set(at, outcome));
    }
    setWorking(false);
    await queries.invalidateQueries({ queryKey: serversKey });
    return faults === 0;
  };
  return { outcomes, isWorking, addAll, forget: () => setOutcomes(new Map()) };
}

function bodyOf({ name, url, transport, authType, headerName }: FoundServer) {
  const header = headerName === undefined ? {} : { headerName, headerPrefix: "" };
  return {
    name,
    mcp_proxy: JSON.stringify({ type: transport, url }),
    auth_settings: { authType, ...header },
  };
}
