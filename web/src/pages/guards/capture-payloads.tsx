import { Button, Group, NumberInput, Select, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi, useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { Note } from "../../components/note.tsx";
import { formatCount } from "../../components/quantities.ts";
import { settingsKey, settingsQuery } from "../settings/settings.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** F18: without stored payloads there is nothing to try a guard on, so it offers to store them for some days. */
export function CapturePayloads({ calls }: { calls: number }) {
  const api = useApi();
  const { changes } = useRights();
  const queries = useQueryClient();
  const { data: settings } = useQuery(settingsQuery(api));
  const [days, setDays] = useState<number | string>(7);
  const [capture, setCapture] = useState<"full" | "redacted">("full");
  const start = useMutation({
    mutationFn: () => {
      const until = new Date(Date.now() + Number(days) * DAY_MS).toISOString();
      return api.updateSettings({ body: { payload_capture: capture, payload_capture_until: until } });
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: settingsKey }),
  });
  const until = settings?.payload_capture_until ?? null;
  const isStoring =
    settings !== undefined &&
    ["full", "redacted"].includes(settings.payload_capture) &&
    (until === null || Date.parse(until) > Date.now());
  return (
    <Stack gap="sm">
      <Note>
        {calls === 0
          ? "No calls in this period."
          : `None of the ${formatCount(calls)} calls in this period has a stored payload, so the guard has nothing to examine.`}
        {isStoring &&
          ` Payloads are stored ${until === null ? "now" : `until ${new Date(until).toLocaleDateString("en")}`}. Run it again when there are some calls.`}
      </Note>
      {!isStoring && changes && (
        <>
          <Text size="sm">
            Store arguments and results of all calls for some days, encrypted, and run the guard over them. This stops
            automatically.
          </Text>
          <Group align="flex-end">
            <NumberInput
              label="Days"
              min={1}
              max={30}
              allowDecimal={false}
              value={days}
              onChange={setDays}
              w={{ base: "100%", xs: 96 }}
            />
            <Select
              label="What to store"
              data={[
                { value: "full", label: "Full payloads" },
                { value: "redacted", label: "Redacted payloads" },
              ]}
              value={capture}
              allowDeselect={false}
              onChange={(next) => setCapture(next === "redacted" ? "redacted" : "full")}
            />
            <Button
              variant="default"
              loading={start.isPending}
              disabled={!(Number(days) >= 1 && Number(days) <= 30)}
              onClick={() => start.mutate()}
            >
              Store payloads
            </Button>
          </Group>
          {capture === "redacted" && (
            <Text size="xs" c="dimmed">
              Secrets and long texts are removed before payloads are stored, so a dry run is incomplete.
            </Text>
          )}
          <ErrorNote error={start.error} />
        </>
      )}
    </Stack>
  );
}
