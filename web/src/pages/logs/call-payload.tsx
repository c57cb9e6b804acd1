import { Button, Stack, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { parseVerbatim } from "#openapi/json";
import type { Schemas } from "../../api/client.ts";
import { useApi, useMe } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { Note } from "../../components/note.tsx";
import { settingsQuery } from "../settings/settings.ts";
import { bytes } from "./call-labels.ts";

type Payload = Schemas["LogPayload"];

/** Loaded only on request, because each access is written to the audit log. */
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
  if (!hasPayload) return <NotStored />;
  if (!mayRead)
    return <Note>The payload of this call is stored. Your role does not allow viewing it; owners and admins can.</Note>;
  if (payload.data) return <Stored payload={payload.data} />;
  return (
    <Stack gap="xs" align="flex-start">
      <Button variant="default" loading={payload.isPending} onClick={() => payload.mutate()}>
        Show request and response
      </Button>
      <Text size="xs" c="dimmed">
        The payload can contain other people's data. Viewing it is recorded in the audit log.
      </Text>
      <ErrorNote error={payload.error} />
    </Stack>
  );
}

const NOT_STORED: Readonly<Record<Schemas["Settings"]["payload_capture"], string>> = {
  off: "Payload capture is off, so requests and responses are not stored.",
  metadata: "Payload capture is set to metadata, so only sizes and errors are stored.",
  redacted: "No payload is stored for this call. It predates payload capture, exceeded the storage limit, or expired.",
  full: "No payload is stored for this call. It predates payload capture, exceeded the storage limit, or expired.",
};

function NotStored() {
  const api = useApi();
  const { data } = useQuery(settingsQuery(api));
  const reason = data && NOT_STORED[data.payload_capture];
  return <Note>{reason ?? "No payload is stored for this call."} Admins can change this in Settings.</Note>;
}

function Stored({ payload }: { payload: Payload }) {
  return (
    <Stack gap="md">
      {payload.capture === "redacted" && (
        <Text size="xs" c="dimmed">
          Values that look like secrets were removed before the payload was stored.
        </Text>
      )}
      <Body label="Request" body={payload.request} />
      <Body label="Response" body={payload.response} />
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
          {isCut && ", truncated"}
        </Text>
      </Text>
      {text === null ? (
        <Note>Not stored: the body was too large to scan for secrets.</Note>
      ) : (
        <JsonView value={readable(text)} label={label.toLowerCase()} />
      )}
    </div>
  );
}

/** Truncated JSON cannot be parsed and is shown as text. */
function readable(text: string): unknown {
  try {
    return parseVerbatim(text);
  } catch {
    return text;
  }
}
