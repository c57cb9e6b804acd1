import { Button, Group, Loader, Text, Title } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { IconCircle, IconCircleCheckFilled } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useApi, useMe, useRights } from "../../api/context.tsx";
import { CopyField } from "../../components/copy-field.tsx";
import { LinkButton } from "../../components/links.tsx";
import { CLIENTS } from "../setup/clients.ts";
import { AddSample } from "./add-sample.tsx";
import { firstRunQuery, type Progress } from "./progress.ts";

/** The way from nothing to the first logged call. It ticks by itself, and goes when somebody has seen it through. */
export function FirstRun() {
  const { changes } = useRights();
  const [isDismissed, setDismissed] = useLocalStorage({ key: "gatehouse-first-run-dismissed", defaultValue: false });
  const { data: progress } = useQuery({ ...firstRunQuery(useApi()), enabled: changes && !isDismissed });
  const [wasOpen, setWasOpen] = useState(false);
  const done = Object.values(progress ?? {}).filter(Boolean).length;
  if (progress && done < 4 && !wasOpen) setWasOpen(true);
  // Who comes to an installation that runs has nothing to be led through.
  if (!changes || !progress || isDismissed || !wasOpen) return null;
  return (
    <section className="gh-first-run" aria-labelledby="first-run">
      <div className="gh-first-run-head">
        <div>
          <Title order={2} id="first-run">
            {done === 4 ? "You are set up" : "Get to your first call"}
          </Title>
          <Text size="sm" c="dimmed" aria-live="polite">
            {done} of 4 done
          </Text>
        </div>
        <Button variant="subtle" color="gray" onClick={() => setDismissed(true)}>
          {done === 4 ? "Done" : "Hide"}
        </Button>
      </div>
      <ol>
        <AddServer progress={progress} />
        <Step isDone={progress.group} title="Put it into a group, with somebody in it">
          <p>Groups decide who reaches which servers.</p>
          <LinkButton size="xs" variant="default" to="/groups">
            Open groups
          </LinkButton>
        </Step>
        <Step isDone={progress.machine} title="Create a machine user">
          <p>A name with a key, for an agent or a script. Put it into the group too.</p>
          <LinkButton size="xs" variant="default" to="/machine-users">
            Open machine users
          </LinkButton>
        </Step>
        <FirstCall progress={progress} />
      </ol>
    </section>
  );
}

function AddServer({ progress }: { progress: Progress }) {
  return (
    <Step isDone={progress.server} title="Add an MCP server">
      <p>One from the catalog, your own by its address, or a sample to try things with.</p>
      <Group gap="xs">
        <LinkButton size="xs" to="/catalog">
          Browse the catalog
        </LinkButton>
        <LinkButton size="xs" variant="default" to="/mcp-servers" search={{ add: "url" }}>
          By its address
        </LinkButton>
        <AddSample />
      </Group>
    </Step>
  );
}

function FirstCall({ progress }: { progress: Progress }) {
  const { gateway_url: gatewayUrl } = useMe();
  const address = { url: `${gatewayUrl}/mcp`, name: "gatehouse", caller: "machine" } as const;
  const commands = CLIENTS.curl.steps(address).flatMap(({ code }) => code ?? []);
  return (
    <Step isDone={progress.call} title="Make the first call">
      <p>With the machine user's access key and secret:</p>
      <CopyField value={commands.slice(0, 2).join("\n")} label="commands" multiline />
      <Group gap="xs">
        <Loader size="xs" />
        <span>Waiting for your first call…</span>
      </Group>
    </Step>
  );
}

function Step({ isDone, title, children }: { isDone: boolean; title: string; children: ReactNode }) {
  const Mark = isDone ? IconCircleCheckFilled : IconCircle;
  return (
    <li data-done={isDone || undefined}>
      <Mark size={20} aria-label={isDone ? "Done" : "To do"} />
      <span className="gh-step-title">{title}</span>
      {!isDone && <div className="gh-step-body">{children}</div>}
    </li>
  );
}
