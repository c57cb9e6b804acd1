import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { withBasePath } from "../../api/base-path.ts";
import type { Schemas } from "../../api/client.ts";
import { useApi, useMe } from "../../api/context.tsx";
import { CopyText } from "../../components/copy-text.tsx";
import { allRows, type Column, DataTable } from "../../components/data-table.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";

type DataKey = Schemas["About"]["data_keys"][number];

export function About() {
  const api = useApi();
  const { version, organization, gateway_url: gatewayUrl, base_url: baseUrl } = useMe();
  const query = useQuery({ queryKey: ["about"], queryFn: async ({ signal }) => (await api.getAbout({ signal })).data });
  const about = query.data;
  const keys = {
    ...allRows(about?.data_keys ?? []),
    isPending: query.isPending,
    error: query.error,
    retry: () => void query.refetch(),
  };
  return (
    <>
      <Section title="This installation">
        <KeyValues
          items={[
            ["Organization", organization.name],
            ["Version", version],
            ["Gateway URL", <CopyText key="gateway" value={`${gatewayUrl}/mcp`} label="Copy gateway URL" />],
            ["Base URL", <CopyText key="base" value={baseUrl} label="Copy URL" />],
            ["Database", about && (about.database === "postgres" ? "Postgres" : "SQLite")],
            ["Node", about?.node],
            [
              "API",
              <Anchor key="api" href={withBasePath("/docs")} size="sm">
                API reference
              </Anchor>,
            ],
          ]}
        />
      </Section>
      <Section
        title="Keys"
        description={
          <>
            Secrets are encrypted with one data key per purpose. Each data key is wrapped by a key outside the database.{" "}
            <code>gatehouse keys rotate</code> creates new ones without downtime.
          </>
        }
      >
        <DataTable
          label="Data keys"
          list={keys}
          columns={COLUMNS}
          rowKey={({ purpose, version: of }) => `${purpose} ${of}`}
          empty={null}
        />
      </Section>
    </>
  );
}

const COLUMNS: ReadonlyArray<Column<DataKey>> = [
  { key: "purpose", header: "Purpose", render: ({ purpose }) => purpose.replaceAll("-", " ") },
  { key: "version", header: "Version", width: "6rem", align: "right", render: ({ version }) => version },
  {
    key: "values",
    header: "Values",
    width: "6rem",
    align: "right",
    render: ({ values }) => (values === null ? <span className="gh-dim">–</span> : values.toLocaleString("en")),
  },
  {
    key: "wrapped",
    header: "Wrapped by",
    hideBelow: "sm",
    render: ({ wrapped_by: key }) => <code className="gh-truncate">{key}</code>,
  },
  {
    key: "created",
    header: "Created",
    width: "8rem",
    render: ({ created_at: time }) => <TimeAgo time={time} />,
  },
];
