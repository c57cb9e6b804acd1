import { Section } from "../../components/section.tsx";
import { SettingField } from "./setting-field.tsx";
import { changesOf, rangeErrors, type SectionProps, type SettingName, valuesOf } from "./settings.ts";
import { SettingsForm } from "./settings-form.tsx";

interface LimitGroup {
  readonly title: string;
  readonly description: string;
  readonly names: readonly SettingName[];
}

const GROUPS: readonly LimitGroup[] = [
  {
    title: "Users",
    description: "Limits for each user, so one agent cannot exhaust the gateway.",
    names: ["user_concurrent_calls", "user_calls_per_minute"],
  },
  {
    title: "Servers",
    description: "Limits that isolate a slow or failing server. Settings of a server take precedence.",
    names: [
      "server_concurrent_calls",
      "server_queued_calls",
      "server_queue_seconds",
      "server_failures_until_pause",
      "server_pause_seconds",
    ],
  },
  {
    title: "Timeouts",
    description: "The error message names the timeout that was exceeded.",
    names: ["server_first_byte_seconds", "server_idle_seconds", "server_total_seconds"],
  },
  {
    title: "Approvals",
    description: "How long a call waits when a guard requires an approval.",
    names: ["approval_wait_seconds"],
  },
  {
    title: "Tool sync",
    description: "Gatehouse syncs the tools of each server periodically.",
    names: ["tool_sync_interval_minutes"],
  },
];

export function LimitSettings({ settings, onSaved }: SectionProps) {
  const names = GROUPS.flatMap((group) => group.names);
  return (
    <SettingsForm
      initial={valuesOf(settings, names)}
      validate={rangeErrors}
      changes={(values) => changesOf(settings, values)}
      onSaved={onSaved}
    >
      {(form) =>
        GROUPS.map((group) => (
          <Section key={group.title} title={group.title} description={group.description}>
            <div className="gh-setting-list">
              {group.names.map((name) => (
                <SettingField key={name} name={name} form={form} />
              ))}
            </div>
          </Section>
        ))
      }
    </SettingsForm>
  );
}
