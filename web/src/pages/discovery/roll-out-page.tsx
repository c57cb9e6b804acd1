import { Anchor, List, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useMe } from "../../api/context.tsx";
import { CopyField } from "../../components/copy-field.tsx";
import { LinkButton } from "../../components/links.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { Section } from "../../components/section.tsx";

/** How to install the scan agent on devices. */
export function RollOutPage() {
  const url = new URL(useMe().gateway_url ?? window.location.origin).origin;
  const download = `curl -fsSLO ${url}/downloads/gatehouse-scan.mjs`;
  const settings = `export GATEHOUSE_URL=${url}\nexport GATEHOUSE_SCAN_TOKEN=<API token with the scope discovery:ingest>`;
  return (
    <>
      <PageHeader
        title="Roll out the scan agent"
        description="The scan agent reads the configuration of AI clients on a device and reports it. It starts no programs, and secrets do not leave the device."
        parent={{ label: "Overview", to: "/discovery" }}
      />
      <Stack gap="md">
        <Section
          title="1. Create an API token"
          description={
            <>
              Select only the scope <strong>Report discovered AI tools</strong>. The token can then send reports and
              read the policy of a device, nothing else.
            </>
          }
          actions={
            <LinkButton to="/api-tokens" search={{ add: "token" }} variant="default">
              Create API token
            </LinkButton>
          }
        />
        <Section
          title="2. Download the scan agent"
          description="One file without dependencies. It needs Node.js 20 or later."
        >
          <CopyField label="download command" value={download} />
        </Section>
        <Section title="3. Try it on one device" description="Set these variables, then scan and send a report.">
          <Stack gap="xs">
            <CopyField label="settings" value={settings} multiline />
            <CopyField label="report command" value="node gatehouse-scan.mjs report" />
          </Stack>
        </Section>
        <Section
          title="4. Roll out with device management"
          description="Distribute the file and the settings to all devices, and keep the agent running in the background. The templates contain the URL of this installation; add the API token."
        >
          <Stack gap="sm">
            <List size="sm" spacing={4}>
              <List.Item>
                macOS: a <Template file="gatehouse-scan.mobileconfig">configuration profile</Template> for the settings,
                and a <Template file="com.gatehouse.scan.plist">launch daemon</Template>
              </List.Item>
              <List.Item>
                Windows: <Template file="gatehouse-scan.reg">registry values</Template> for the settings, and a
                scheduled task
              </List.Item>
              <List.Item>
                Linux: a <Template file="config.json">file with the settings</Template>, and a{" "}
                <Template file="gatehouse-scan.service">systemd unit</Template>
              </List.Item>
            </List>
            <CopyField label="background command" value="node gatehouse-scan.mjs daemon" />
          </Stack>
        </Section>
      </Stack>
    </>
  );
}

/** A file for device management. */
function Template({ file, children }: { file: string; children: ReactNode }) {
  return (
    <Anchor href={`/downloads/mdm/${file}`} download={file} size="sm" underline="always">
      {children}
    </Anchor>
  );
}
