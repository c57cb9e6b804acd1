import { Button, Stack, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { parseVerbatim } from "#openapi/json";
import type { Schemas } from "../../api/client.ts";
import { useApi, useMe } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { Note } from "../../components/note.tsx";
import { bytes } from "./call-labels.ts";

type Payload = Schemas["LogPayload"];

/** Read when somebody asks for it, never by itself: each reading is written to the audit. */
export function useCallPayload(id: string) {
  const api = useApi();
  return useMutation({
    mutationFn: async () => (await api.getLog({ path: { id }, query: { include_payload: true } })).data.payload,
  });
}

interface CallPayloadProps {
  readonly hasPayload: boolean;
  readonly payload: ReturnType<typeof useCallPayload>;
}

export function CallPayload({ hasPayload, payload }: CallPayloadProps) {
  const { data } = useMe();
  const mayRead = data.scopes.some((scope) => scope === "all" || scope === "logs:payloads");
  if (!hasPayload) return <NotKept />;
  if (!mayRead)
    return <Note>What this call carried is kept. Owners and admins may look at it; your role does not allow it.</Note>;
  if (payload.data) return <Kept payload={payload.data} />;
  return (
    <Stack gap="xs" align="flex-start">
      <Button variant="default" loading={payload.isPending} onClick={() => payload.mutate()}>
        Show request and answer
      </Button>
      <Text size="xs" c="dimmed">
        Other people's data may be in it: that you looked is written to the audit.
      </Text>
      <ErrorNote error={payload.error} />
    </Stack>
  );
}

const NOT_KEPT: Readonly<Record<Schemas["Settings"]["payload_capture"], string>> = {
  off: "Nothing of what calls carry is kept: payload capture is off.",
  metadata: "Only sizes and errors are kept: payload capture is set to metadata.",
  redacted: "Nothing is kept of this call: it came before payload capture was on, found no room, or is too old.",
  full: "Nothing is kept of this call: it came before payload capture was on, found no room, or is too old.",
};

function NotKept() {
  const api = useApi();
  const { data } = useQuery({ queryKey: ["settings"], queryFn: ({ signal }) => api.getSettings({ signal }) });
  const words = data && NOT_KEPT[data.data.payload_capture];
  return <Note>{words ?? "Nothing is kept of this call."} Admins decide about it in the settings.</Note>;
}

function Kept({ payload }: { payload: Payload }) {
  return (
    <Stack gap="md">
      {payload.capture === "redacted" && (
        <Text size="xs" c="dimmed">
          What looked like a secret was left out before it was kept.
        </Text>
      )}
      <Body label="Request" body={payload.request} />
      <Body label="Answer" body={payload.response} />
    </Stack>
  );
}

function Body({ label, body: { text, bytes: size, is_cut: isCut } }: { label: string; body: Payload["request"] }) {
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {label}{" "}
        <Text span size="xs" c="dimmed">
          {bytes(size)}
          {isCut && ", cut off"}
        </Text>
      </Text>
      {text === null ? (
        <Note>It was too large to be looked through for secrets, and is not kept.</Note>
      ) : (
        <JsonView value={readable(text)} label={label.toLowerCase()} />
      )}
    </div>
  );
}

/** What was cut is no JSON any more, and shown as the text it is. */
function readable(text: string): unknown {
  try {
    return parseVerbatim(text);
  } catch {
    return text;
  }
}
