import { Button, Radio, Stack } from "@mantine/core";
import { useState } from "react";
import { SETTINGS } from "#openapi/constants";
import { useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { Note } from "../../components/note.tsx";
import { Section } from "../../components/section.tsx";
import { NumberSettings, useSaveSettings } from "./number-settings.tsx";
import { CAPTURES, PAYLOADS, RETENTION, type Settings } from "./settings.ts";

export function LogSettings({ settings }: { settings: Settings }) {
  return (
    <>
      <Section title="Retention" description="Older entries are deleted automatically.">
        <NumberSettings settings={settings} fields={RETENTION} />
      </Section>
      <Section
        title={SETTINGS.payload_capture.label}
        description="Every call is logged. Choose how much of it to record."
      >
        <Capture settings={settings} />
      </Section>
      <Section title="Payloads" description="Applies when arguments and results are recorded.">
        <NumberSettings settings={settings} fields={PAYLOADS} />
      </Section>
    </>
  );
}

function Capture({ settings }: { settings: Settings }) {
  const { changes } = useRights();
  const [chosen, setChosen] = useState<Settings["payload_capture"]>();
  const save = useSaveSettings(() => setChosen(undefined));
  const value = chosen ?? settings.payload_capture;
  return (
    <Stack gap="sm" align="flex-start">
      <Radio.Group
        aria-label={SETTINGS.payload_capture.label}
        value={value}
        onChange={(next) => setChosen(CAPTURES.find((capture) => capture.value === next)?.value)}
      >
        <Stack gap="xs">
          {CAPTURES.map(({ value: capture, label, hint }) => (
            <Radio key={capture} value={capture} label={label} description={hint} disabled={!changes} />
          ))}
        </Stack>
      </Radio.Group>
      {value === "off" && chosen !== undefined && (
        <Note tone="warn">Saving deletes all stored arguments and results.</Note>
      )}
      <ErrorNote error={save.error} />
      {changes && (
        <Button
          disabled={value === settings.payload_capture}
          loading={save.isPending}
          onClick={() => save.mutate({ payload_capture: value })}
        >
          Save
        </Button>
      )}
    </Stack>
  );
}
