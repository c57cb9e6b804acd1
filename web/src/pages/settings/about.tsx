import { Anchor } from "@mantine/core";
import { useMe } from "../../api/context.tsx";
import { CopyText } from "../../components/copy-text.tsx";
import { KeyValues, Section } from "../../components/section.tsx";

export function About() {
  const { version, organization, gateway_url: gatewayUrl, base_url: baseUrl } = useMe();
  return (
    <Section title="This installation">
      <KeyValues
        items={[
          ["Organization", organization.name],
          ["Version", version],
          ["Gateway", <CopyText key="gateway" value={`${gatewayUrl}/mcp`} label="Copy gateway address" />],
          ["Administration", <CopyText key="base" value={baseUrl} label="Copy address" />],
          [
            "API",
            <Anchor key="api" href="/docs" size="sm">
              Description of the administration API
            </Anchor>,
          ],
        ]}
      />
    </Section>
  );
}
