import { Anchor, SegmentedControl, Select, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useApi, useMe, useRights } from "../../api/context.tsx";
import { Contact } from "../../components/contact.tsx";
import { CopyField } from "../../components/copy-field.tsx";
import { TextLink } from "../../components/links.tsx";
import { Note } from "../../components/note.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useScrollToCurrent } from "../../components/scroll-to-current.ts";
import { Section } from "../../components/section.tsx";
import { connectionsKey, fetchMyServers, type MyServer } from "../connections/connections.ts";
import { myToolkitsQuery } from "../my-toolkits/my-toolkits.ts";
import { CLIENT_IDS, type ClientId } from "./client-ids.ts";
import { CLIENTS, callersOf } from "./clients.ts";
import { ContextBudget } from "./context-budget.tsx";
import type { Caller, GatewayTarget, Step } from "./steps.ts";
import "./setup.css";
import { clearButton } from "../../components/clear-button.ts";

const route = getRouteApi("/setup");

export function SetupPage() {
  const { gateway_url: gatewayUrl } = useMe();
  const servers = useMyServers();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (patch: Partial<typeof search>) =>
    void navigate({ search: (old) => ({ ...old, ...patch }), replace: true });
  const client = search.client ?? "claude-code";
  const callers = callersOf(client);
  const caller: Caller = callers.find((known) => known === search.as) ?? callers[0] ?? "person";
  const query = [...(search.toolkit ? [`toolkit=${search.toolkit}`] : []), ...(search.tools ? ["tools=search"] : [])];
  const target: GatewayTarget = {
    url: `${gatewayUrl}/mcp${search.server === undefined ? "" : `/${search.server}`}${query.length === 0 ? "" : `?${query.join("&")}`}`,
    name: search.toolkit ?? search.server ?? "gatehouse",
    caller,
  };
  return (
    <>
      <PageHeader
        title="Connect a client"
        description="Add one URL to your MCP client to use all your tools. People sign in when the client prompts them; machine users send an access key."
      />
      <Section title="Gateway URL">
        <div className="gh-setup-address">
          <CopyField value={target.url} label="gateway URL" />
          <ServerChoice servers={servers} value={search.server} onChange={(server) => choose({ server })} />
          <ToolkitChoice value={search.toolkit} onChange={(toolkit) => choose({ toolkit })} />
        </div>
        <ContextBudget
          hasToolkit={search.toolkit !== undefined}
          servers={servers.filter(({ slug }) => search.server === undefined || slug === search.server)}
          usesSearch={search.tools === "search"}
          onChange={(usesSearch) => choose({ tools: usesSearch ? "search" : undefined })}
        />
      </Section>
      <div className="gh-setup">
        <ClientList client={client} />
        <Section
          title={CLIENTS[client].label}
          actions={
            callers.length > 1 && (
              <SegmentedControl
                aria-label="Caller"
                data={[
                  { value: "person", label: "Person" },
                  { value: "machine", label: "Machine user" },
                ]}
                value={caller}
                onChange={(chosen) => choose({ as: chosen === "machine" ? "machine" : "person" })}
              />
            )
          }
        >
          <Stack gap="md">
            {caller === "machine" && <MachineNote />}
            <Steps steps={CLIENTS[client].steps(target)} />
          </Stack>
        </Section>
      </div>
    </>
  );
}

function ClientList({ client }: { client: ClientId }) {
  const bar = useScrollToCurrent(client);
  return (
    <nav ref={bar} aria-label="Clients" className="gh-setup-clients gh-scrolls-sideways">
      {CLIENT_IDS.map((id) => (
        <TextLink
          key={id}
          to="/setup"
          search={(old) => ({ ...old, client: id })}
          replace
          underline="never"
          aria-current={id === client ? "page" : undefined}
          activeProps={{ "aria-current": id === client ? "page" : undefined }}
        >
          {CLIENTS[id].label}
        </TextLink>
      ))}
    </nav>
  );
}

function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className="gh-setup-steps">
      {steps.map(({ text, code, what, link }) => (
        <li key={text}>
          <Text size="sm">{text}</Text>
          {link && (
            <Anchor size="sm" fw={500} href={link.href}>
              {link.label}
            </Anchor>
          )}
          {code !== undefined && <CopyField value={code} label={what ?? "text"} multiline />}
        </li>
      ))}
    </ol>
  );
}

function MachineNote() {
  const { changes } = useRights();
  const { organization } = useMe();
  return (
    <Note>
      Set GATEHOUSE_ACCESS_KEY to the access key of a machine user.{" "}
      {changes ? (
        <TextLink to="/machine-users" search={{ add: "machine-user" }} inherit underline="always">
          Create a machine user
        </TextLink>
      ) : (
        <>
          Ask <Contact contact={organization.help_contact} /> for an access key.
        </>
      )}
    </Note>
  );
}

const NO_SERVERS: readonly MyServer[] = [];

function useMyServers(): readonly MyServer[] {
  const api = useApi();
  const { data } = useQuery({
    queryKey: [...connectionsKey, undefined],
    queryFn: ({ signal }) => fetchMyServers(api, undefined, signal),
  });
  return data ?? NO_SERVERS;
}

/** The URL of a toolkit lists only its tools. Shown to users who have one. */
function ToolkitChoice({
  value,
  onChange,
}: {
  value: string | undefined;
  onChange: (slug: string | undefined) => void;
}) {
  const api = useApi();
  const { data } = useQuery(myToolkitsQuery(api));
  const usable = (data?.data ?? []).filter(({ status }) => status === "active");
  const known = usable.map(({ slug, name }) => ({ value: slug, label: name }));
  const isKnown = value === undefined || known.some((toolkit) => toolkit.value === value);
  if (known.length === 0 && value === undefined) return null;
  return (
    <Select
      aria-label="Toolkit"
      placeholder="No toolkit"
      data={isKnown ? known : [...known, { value, label: value }]}
      value={value ?? null}
      onChange={(slug) => onChange(slug ?? undefined)}
      clearable
      searchable
      clearButtonProps={clearButton("Use no toolkit")}
    />
  );
}

/** The URL of one server lists only its tools, with their original names. */
function ServerChoice({
  servers,
  value,
  onChange,
}: {
  servers: readonly MyServer[];
  value: string | undefined;
  onChange: (slug: string | undefined) => void;
}) {
  const known = servers.map(({ slug, name }) => ({ value: slug, label: name }));
  const isKnown = value === undefined || known.some((server) => server.value === value);
  return (
    <Select
      aria-label="Server"
      placeholder="All servers"
      data={isKnown ? known : [...known, { value, label: value }]}
      value={value ?? null}
      onChange={(slug) => onChange(slug ?? undefined)}
      clearable
      searchable
      clearButtonProps={clearButton("Show all servers")}
    />
  );
}
