import { Stack, Switch, Text } from "@mantine/core";
import { useMe, useRights } from "../../api/context.tsx";
import { CopyField } from "../../components/copy-field.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { LinkButton } from "../../components/links.tsx";
import { Note } from "../../components/note.tsx";
import { Section } from "../../components/section.tsx";
import { GroupsOf } from "../groups/groups-of.tsx";
import { useSaveToolkit } from "./save-toolkit.ts";
import type { Toolkit } from "./toolkits.ts";

export function ToolkitAccess({ toolkit }: { toolkit: Toolkit }) {
  const save = useSaveToolkit(toolkit);
  return (
    <>
      {toolkit.owner_email === null ? (
        <GroupsOf
          groups={toolkit.groups}
          description="Members can use the toolkit. It has an effect only for tools that one of their groups grants."
          tab="toolkits"
          save={save}
        />
      ) : (
        <Section title="Owner">
          <Text size="sm">Only {toolkit.owner_email} can use this toolkit.</Text>
        </Section>
      )}
      <Default toolkit={toolkit} />
      <ConnectLine toolkit={toolkit} />
    </>
  );
}

function Default({ toolkit }: { toolkit: Toolkit }) {
  const { changes } = useRights();
  const save = useSaveToolkit(toolkit);
  return (
    <Section title="Least privilege">
      <Stack gap="sm" maw="40rem">
        <Switch
          label="Restrict the servers of this toolkit"
          description="Of the servers that it names, users see only the tools of this toolkit, even at the URL without a toolkit. Other servers are not affected."
          checked={toolkit.least_privilege}
          disabled={!changes || save.isPending}
          onChange={(event) => save.mutate({ least_privilege: event.currentTarget.checked })}
        />
        <ErrorNote error={save.error} />
      </Stack>
    </Section>
  );
}

function ConnectLine({ toolkit: { slug, status } }: { toolkit: Toolkit }) {
  const { gateway_url: url } = useMe();
  return (
    <Section
      title="Connect"
      description="MCP clients with this URL get only the tools of the toolkit. A machine user can be bound to it."
      actions={
        <LinkButton to="/setup" search={{ toolkit: slug }} variant="default">
          Connect a client
        </LinkButton>
      }
    >
      <Stack gap="sm" maw="40rem">
        {status === "draft" && <Note tone="info">The URL works when the toolkit is active.</Note>}
        <CopyField value={`${url}/mcp?toolkit=${slug}`} label="URL of the toolkit" />
      </Stack>
    </Section>
  );
}
