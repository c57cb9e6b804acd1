import { Spoiler, Switch } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useApi, useRights } from "../../api/context.tsx";
import { notifyFailure, notifyWithUndo } from "../../components/notify.tsx";
import { Section } from "../../components/section.tsx";
import { useServerChanges } from "./server-changes.ts";
import type { Detail } from "./servers.ts";
import "./server-instructions.css";

/** The text for models that the server sends, and whether callers receive it. */
export function ServerInstructions({ server }: { server: Detail }) {
  const api = useApi();
  const { changes } = useRights();
  const { slug, name, instructions, pass_instructions: isPassed } = server;
  const { refresh } = useServerChanges({ slug, name });
  const send = async (pass_instructions: boolean) => {
    await api.updateMcpServer({ query: { slug }, body: { pass_instructions } });
    await refresh();
  };
  const change = useMutation({
    mutationFn: send,
    onSuccess: (_answer, passed) =>
      notifyWithUndo(passed ? "Instructions reach callers" : "Instructions are hidden from callers", () =>
        send(!passed),
      ),
    onError: notifyFailure,
  });
  if (instructions === "") return null;
  return (
    <Section
      title="Instructions"
      description="Text for models from the server. MCP clients receive it when they connect."
      actions={
        <Switch
          label="Pass on to callers"
          checked={isPassed}
          disabled={!changes || change.isPending}
          onChange={(event) => change.mutate(event.currentTarget.checked)}
        />
      }
    >
      <Spoiler maxHeight={120} showLabel="Show all" hideLabel="Show less">
        <p className="gh-instructions">{instructions}</p>
      </Spoiler>
    </Section>
  );
}
