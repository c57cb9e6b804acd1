import { Section } from "../../components/section.tsx";
import { NumberSettings } from "./number-settings.tsx";
import { DEADLINES, SERVER_LIMITS, type Settings, TOOL_SYNC, USER_LIMITS } from "./settings.ts";

export function LimitSettings({ settings }: { settings: Settings }) {
  return (
    <>
      <Section title="Users" description="Limits for each user, so one agent cannot exhaust the gateway.">
        <NumberSettings settings={settings} fields={USER_LIMITS} />
      </Section>
      <Section
        title="Servers"
        description="Limits that isolate a slow or failing server. Settings of a server take precedence."
      >
        <NumberSettings settings={settings} fields={SERVER_LIMITS} />
      </Section>
      <Section title="Timeouts" description="The error message names the timeout that was exceeded.">
        <NumberSettings settings={settings} fields={DEADLINES} />
      </Section>
      <Section title="Tools">
        <NumberSettings settings={settings} fields={TOOL_SYNC} />
      </Section>
    </>
  );
}
