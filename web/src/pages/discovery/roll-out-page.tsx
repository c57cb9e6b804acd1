import { Anchor, List, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { withBasePath } from "../../api/base-path.ts";
import { useMe } from "../../api/context.tsx";
import { scanReleaseQuery } from "../../api/scan-release.ts";
import { CopyField } from "../../components/copy-field.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { LinkButton, TextLink } from "../../components/links.tsx";
import { Note } from "../../components/note.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { Section } from "../../components/section.tsx";

/** How to install the scan agent on devices. */
export function RollOutPage() {
  const url = useMe().base_url;
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
          <Stack gap="xs">
            <CopyField label="download command" value={download} />
            <Release />
          </Stack>
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
            <Text size="sm">
              The background process reads the home folders of all users of a device, so it runs as root or as SYSTEM.
            </Text>
            <CopyField label="background command" value="node gatehouse-scan.mjs daemon --all-users" />
          </Stack>
        </Section>
        <Section
          title="5. Enforce the policy"
          description={
            <>
              The agent only reports, until it runs with <code>--enforce</code> and the{" "}
              <TextLink to="/discovery/policy">policy</TextLink> is enforced. It then removes blocked MCP servers and
              skills, and restores them when they are allowed again.
            </>
          }
        >
          <Stack gap="xs">
            <CopyField label="preview command" value="node gatehouse-scan.mjs enforce --all-users --dry-run" />
            <CopyField label="enforcement command" value="node gatehouse-scan.mjs daemon --all-users --enforce" />
          </Stack>
        </Section>
      </Stack>
    </>
  );
}

/** To compare the copies on devices with the file that this installation serves. */
function Release() {
  const { data: release, error } = useQuery(scanReleaseQuery);
  if (error) return <ErrorNote error={error} />;
  if (release === undefined) return <Skeleton height={60} />;
  if (release === null) return <Note tone="warn">This installation does not contain the scan agent.</Note>;
  return (
    <>
      <Text size="sm">Version {release.version}. Compare the SHA-256 of the file on each device with this one:</Text>
      <CopyField label="SHA-256" value={release.sha256} />
    </>
  );
}

/** A file for device management. */
function Template({ file, children }: { file: string; children: ReactNode }) {
  return (
    <Anchor href={withBasePath(`/downloads/mdm/${file}`)} download={file} size="sm" underline="always">
      {children}
    </Anchor>
  );
}
