import { useMe } from "../../api/context.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { SettingField } from "./setting-field.tsx";
import { changesOf, type SectionProps, valuesOf } from "./settings.ts";
import { SettingsForm } from "./settings-form.tsx";

export function GeneralSettings({ settings, onSaved }: SectionProps) {
  const { organization } = useMe();
  return (
    <SettingsForm
      initial={valuesOf(settings, ["help_contact"])}
      changes={(values) => changesOf(settings, values)}
      onSaved={onSaved}
    >
      {(form) => (
        <>
          <Section title="Organization" description="Set with ORG_NAME when Gatehouse starts.">
            <KeyValues items={[["Name", organization.name]]} />
          </Section>
          <Section title="Help" description="Shown to people when a connection or a page does not work.">
            <SettingField name="help_contact" form={form} placeholder="it-help@example.com" />
          </Section>
        </>
      )}
    </SettingsForm>
  );
}
