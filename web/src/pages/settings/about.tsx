import { Anchor, Stack } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { withBasePath } from "../../api/base-path.ts";
import type { Api } from "../../api/client.ts";
import { useApi, useMe } from "../../api/context.tsx";
import { CopyText } from "../../components/copy-text.tsx";
import { Note } from "../../components/note.tsx";
import { KeyValues, Section } from "../../components/section.tsx";

export function aboutQuery(api: Api) {
  return queryOptions({
    queryKey: ["about"],
    queryFn: async ({ signal }) => (await api.getAbout({ signal })).data,
  });
}

export function About() {
  const { organization, gateway_url: gatewayUrl, base_url: baseUrl } = useMe();
  const { data: about } = useQuery(aboutQuery(useApi()));
  return (
    <Section title="This installation">
      {about !== undefined && about.warnings.length > 0 && (
        <Stack gap="xs" mb="sm">
          {about.warnings.map((warning) => (
            <Note key={warning} tone="warn">
              {warning}
            </Note>
          ))}
        </Stack>
      )}
      <KeyValues
        items={[
          ["Organization", organization.name],
          ["Version", about?.version],
          ["Gateway URL", <CopyText key="gateway" value={`${gatewayUrl}/mcp`} label="Copy gateway URL" />],
          ["Base URL", <CopyText key="base" value={baseUrl} label="Copy base URL" />],
          ["Database", about && (about.database === "postgres" ? "Postgres" : "SQLite")],
          ["Node.js", about?.node],
          [
            "API",
            <Anchor key="api" href={withBasePath("/docs")} size="sm">
              API reference
            </Anchor>,
          ],
        ]}
      />
    </Section>
  );
}
