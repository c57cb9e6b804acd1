import { Section } from "../../components/section.tsx";
import { NumberSettings } from "./number-settings.tsx";
import { DEADLINES, SERVER_LIMITS, type Settings, TOOL_SYNC, USER_LIMITS } from "./settings.ts";

export function LimitSettings({ settings }: { settings: Settings }) {
  return (
    <>
      <Section title="Each user" description="So that one runaway agent does not take the place of everybody else.">
        <NumberSettings settings={settings} fields={USER_LIMITS} />
      </Section>
      <Section
        title="Each server"
        description="A server that is slow or broken keeps its trouble to itself. A server's own settings go before these."
      >
        <NumberSettings settings={settings} fields={SERVER_LIMITS} />
      </Section>
      <Section title="When a call is given up" description="The caller is told which of these it was.">
        <NumberSettings settings={settings} fields={DEADLINES} />
      </Section>
      <Section title="Tools">
        <NumberSettings settings={settings} fields={TOOL_SYNC} />
      </Section>
    </>
  );
}
