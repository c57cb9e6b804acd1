import { Note } from "../../components/note.tsx";
import { Section } from "../../components/section.tsx";
import { SettingField } from "./setting-field.tsx";
import { changesOf, rangeErrors, type SectionProps, type SettingName, valuesOf } from "./settings.ts";
import { SettingsForm } from "./settings-form.tsx";

const RETENTION: readonly SettingName[] = [
  "call_log_retention_days",
  "call_stats_retention_days",
  "audit_retention_days",
];
const PAYLOADS: readonly SettingName[] = ["payload_retention_days", "payload_storage_mb"];

export function LogSettings({ settings, onSaved }: SectionProps) {
  return (
    <SettingsForm
      initial={valuesOf(settings, [...RETENTION, "payload_capture", ...PAYLOADS])}
      validate={rangeErrors}
      changes={(values) => changesOf(settings, values)}
      onSaved={onSaved}
    >
      {(form) => (
        <>
          <Section title="Retention" description="Older entries are deleted automatically.">
            <div className="gh-setting-list">
              {RETENTION.map((name) => (
                <SettingField key={name} name={name} form={form} />
              ))}
            </div>
          </Section>
          <Section title="Call details" description="Every call is logged. Choose how much of it to record.">
            <div className="gh-setting-list">
              <SettingField name="payload_capture" form={form} />
              {settings.payload_capture_until !== null && !form.isDirty("payload_capture") && (
                <Note>
                  Payloads are stored until {new Date(settings.payload_capture_until).toLocaleString("en")}. After that,
                  only metadata is recorded.
                </Note>
              )}
              {form.isDirty("payload_capture") && form.values.payload_capture === "off" && (
                <Note tone="warn">Saving deletes all stored arguments and results.</Note>
              )}
            </div>
          </Section>
          <Section title="Payloads" description="Applies when arguments and results are recorded.">
            <div className="gh-setting-list">
              {PAYLOADS.map((name) => (
                <SettingField key={name} name={name} form={form} />
              ))}
            </div>
          </Section>
        </>
      )}
    </SettingsForm>
  );
}
