import { Button, Group, Loader, Text, Title } from "@mantine/core";
import { IconCircle, IconCircleCheckFilled } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { useMe } from "../../api/context.tsx";
import { CopyField } from "../../components/copy-field.tsx";
import { LinkButton } from "../../components/links.tsx";
import { logsKey } from "../logs/calls.ts";
import { curlCommand } from "../machine-users/curl-command.ts";
import { KEY_VARIABLE } from "../machine-users/key-variables.ts";
import { type IssuedKey, NewAccessKey } from "../machine-users/new-access-key.tsx";
import { AddSample } from "./add-sample.tsx";
import { firstCallOf } from "./first-call.ts";
import { FirstGroup } from "./first-group.tsx";
import { FirstMachine } from "./first-machine.tsx";
import { type Progress, stepsOf } from "./progress.ts";

interface ChecklistProps {
  readonly progress: Progress;
  onDismiss(): void;
}

/** The steps up to the first call, with a form for each. */
export function Checklist({ progress, onDismiss }: ChecklistProps) {
  const [issued, setIssued] = useState<IssuedKey | null>(null);
  const steps = stepsOf(progress);
  const done = steps.filter(Boolean).length;
  const isComplete = done === steps.length;
  const queries = useQueryClient();
  // The first call must not stay at "Calls 0" until the numbers refresh.
  useEffect(() => {
    if (progress.callId !== undefined) void queries.invalidateQueries({ queryKey: logsKey });
  }, [progress.callId, queries]);
  return (
    <section className="gh-first-run" aria-labelledby="first-run">
      <div className="gh-first-run-head">
        <div>
          <Title order={2} id="first-run">
            {isComplete ? "Setup complete" : "Make your first call"}
          </Title>
          <Text size="sm" c="dimmed" aria-live="polite">
            {done} of {steps.length} done
          </Text>
        </div>
        <Button variant="subtle" color="gray" onClick={onDismiss}>
          {isComplete ? "Done" : "Hide"}
        </Button>
      </div>
      <Steps done={steps} progress={progress} onIssued={setIssued} />
      <NewAccessKey
        issued={issued}
        firstCall={firstCallOf(progress.servers)}
        status={<CallStatus isLogged={progress.callId !== undefined} />}
        onClose={() => setIssued(null)}
      />
    </section>
  );
}

interface StepsProps {
  readonly done: readonly boolean[];
  readonly progress: Progress;
  onIssued(key: IssuedKey): void;
}

/** Steps depend on each other, so only the first open step is expanded. */
function Steps({ done, progress, onIssued }: StepsProps) {
  const bodies: ReadonlyArray<readonly [title: string, body: ReactNode]> = [
    ["Add an MCP server", <AddServer key="server" />],
    ["Create a group", <FirstGroup key="group" slugs={progress.servers} />],
    ["Create a machine user", <FirstMachine key="machine" group={progress.group} onIssued={onIssued} />],
    ["Make the first call", <FirstCall key="call" progress={progress} />],
  ];
  const current = done.indexOf(false);
  return (
    <ol>
      {bodies.map(([title, body], at) => (
        <Step key={title} isDone={done[at] === true} title={title}>
          {at === current && body}
        </Step>
      ))}
      {current < 0 && progress.callId !== undefined && (
        <li>
          <div className="gh-step-body">
            <LinkButton size="xs" to="/logs" search={{ call: progress.callId }}>
              View the call in Logs
            </LinkButton>
          </div>
        </li>
      )}
    </ol>
  );
}

function AddServer() {
  return (
    <>
      <p>Choose a server from the catalog, enter a server URL, or start with the sample server.</p>
      <Group gap="xs">
        <LinkButton size="xs" to="/catalog">
          Browse the catalog
        </LinkButton>
        <LinkButton size="xs" variant="default" to="/mcp-servers" search={{ add: "url" }}>
          Add by URL
        </LinkButton>
        <AddSample />
      </Group>
    </>
  );
}

function FirstCall({ progress }: { progress: Progress }) {
  const { gateway_url: gatewayUrl } = useMe();
  const { message } = firstCallOf(progress.servers);
  return (
    <>
      <p>
        Set <code>{KEY_VARIABLE}</code> to the access key of the machine user, then run:
      </p>
      <CopyField value={curlCommand(`${gatewayUrl}/mcp`, KEY_VARIABLE, message)} label="command" multiline />
      <CallStatus isLogged={false} />
    </>
  );
}

function CallStatus({ isLogged }: { isLogged: boolean }) {
  return (
    <Group gap="xs" mt="xs" fz="sm" role="status">
      {isLogged ? <IconCircleCheckFilled size={18} className="gh-call-logged" aria-hidden /> : <Loader size="xs" />}
      <span>{isLogged ? "Your first call was logged" : "Waiting for your first call…"}</span>
    </Group>
  );
}

function Step({ isDone, title, children }: { isDone: boolean; title: string; children: ReactNode }) {
  const Mark = isDone ? IconCircleCheckFilled : IconCircle;
  return (
    <li data-done={isDone || undefined}>
      <Mark size={20} role="img" aria-label={isDone ? "Done" : "To do"} />
      <span className="gh-step-title">{title}</span>
      {children && <div className="gh-step-body">{children}</div>}
    </li>
  );
}
