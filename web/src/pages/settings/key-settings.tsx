import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { allRows, type Column, DataTable } from "../../components/data-table.tsx";
import { Section } from "../../components/section.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { aboutQuery } from "./about.tsx";
import { SettingField } from "./setting-field.tsx";
import { changesOf, type SectionProps, valuesOf } from "./settings.ts";
import { SettingsForm } from "./settings-form.tsx";

type DataKey = Schemas["About"]["data_keys"][number];

export function KeySettings({ settings, onSaved }: SectionProps) {
  return (
    <>
      <SettingsForm
        initial={valuesOf(settings, ["machine_secret_reveal"])}
        changes={(values) => changesOf(settings, values)}
        confirmation={({ machine_secret_reveal: isOn }) => (isOn ? undefined : DELETE_COPIES)}
        onSaved={onSaved}
      >
        {(form) => (
          <Section title="Machine user secrets">
            <SettingField name="machine_secret_reveal" form={form} />
          </Section>
        )}
      </SettingsForm>
      <DataKeys />
    </>
  );
}

const DELETE_COPIES = {
  title: "Show secrets only once?",
  name: "delete copies",
  action: "Delete copies",
  text: "The stored copies of all machine user secrets are deleted. The secrets keep working, but a lost secret must be rotated.",
};

function DataKeys() {
  const query = useQuery(aboutQuery(useApi()));
  const list = {
    ...allRows(query.data?.data_keys ?? []),
    isPending: query.isPending,
    error: query.error,
    retry: () => void query.refetch(),
  };
  return (
    <Section
      title="Data keys"
      description={
        <>
          Secrets are encrypted with one data key per purpose. Each data key is wrapped by a key outside the database.
          Run <code>gatehouse keys rotate</code> to replace them without downtime.
        </>
      }
    >
      <DataTable
        label="Data keys"
        list={list}
        columns={COLUMNS}
        rowKey={({ purpose, version }) => `${purpose} ${version}`}
        empty={null}
      />
    </Section>
  );
}

/** `mcp-session` → "MCP session". */
function labelOf(purpose: string): string {
  const label = purpose.replaceAll("-", " ").replace("mcp", "MCP").replace("oauth", "OAuth");
  return label.charAt(0).toUpperCase() + label.slice(1);
}

const COLUMNS: ReadonlyArray<Column<DataKey>> = [
  {
    key: "purpose",
    header: "Purpose",
    render: ({ purpose, wrapped_by: key }) => (
      <span className="gh-two-lines">
        <span>{labelOf(purpose)}</span>
        <span className="gh-truncate">Wrapped by {key}</span>
      </span>
    ),
  },
  {
    key: "version",
    header: "Version",
    width: "6rem",
    hideBelow: "sm",
    align: "right",
    render: ({ version }) => version,
  },
  {
    key: "values",
    header: "Values",
    width: "6rem",
    narrowWidth: "4rem",
    align: "right",
    render: ({ values }) => (values === null ? <span className="gh-dim">–</span> : values.toLocaleString("en")),
  },
  {
    key: "created",
    header: "Created",
    width: "8rem",
    narrowWidth: "5.5rem",
    render: ({ created_at: time }) => <TimeAgo time={time} />,
  },
];
