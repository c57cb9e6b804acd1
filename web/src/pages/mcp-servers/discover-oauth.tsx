import { Button, Stack, Text } from "@mantine/core";
import { IconWand } from "@tabler/icons-react";
import { type MutationState, useMutation, useMutationState } from "@tanstack/react-query";
import { ApiError, type Schemas } from "../../api/client.ts";
import { useApi, useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { Note } from "../../components/note.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { useServerChanges } from "./server-changes.ts";
import type { Detail } from "./servers.ts";
import "./discover-oauth.css";

type Discovered = Schemas["DiscoveredOAuth"];
type Step = Schemas["DiscoveryStep"];

interface DiscoverOAuthProps {
  readonly server: Detail;
  /** Saves the settings of the page first. Undefined: they are saved. */
  readonly save: (() => Promise<void>) | undefined;
}

/** Discovers how users sign in to the server, and shows each step, so that a failing server can be fixed. */
export function DiscoverOAuth({ server, save }: DiscoverOAuthProps) {
  const api = useApi();
  const { changes } = useRights();
  const { refresh } = useServerChanges(server);
  const mutationKey = ["discover-oauth", server.slug];
  const { mutate } = useMutation({
    mutationKey,
    mutationFn: async () => {
      await save?.();
      return api.discoverOAuth({ path: { slug: server.slug } });
    },
    onSettled: () => refresh(),
  });
  // Saving remounts the page, so the result is read from the cache.
  const states = useMutationState<MutationState<Awaited<ReturnType<typeof api.discoverOAuth>>>>({
    filters: { mutationKey },
    select: ({ state }) => state as MutationState<Awaited<ReturnType<typeof api.discoverOAuth>>>, // by its key
  });
  const latest = states.at(-1);
  const error = latest?.error ?? null;
  const found = latest?.data?.data;
  const steps = found?.steps ?? stepsOf(error);
  return (
    <Section
      title="Discovery"
      description={
        save
          ? "Gatehouse saves your changes, finds the authorization server, and registers there automatically."
          : "Gatehouse finds the authorization server and registers there automatically. Run it to see each step."
      }
      actions={
        changes && (
          <Button
            variant="default"
            leftSection={<IconWand size={16} aria-hidden />}
            disabled={server.connection === null}
            loading={latest?.status === "pending"}
            onClick={() => mutate()}
          >
            Discover OAuth Settings
          </Button>
        )
      }
    >
      <Stack gap="sm">
        {steps.length > 0 ? <Failed error={error} /> : <ErrorNote error={error} />}
        {found && <Found found={found} />}
        {steps.length > 0 && <StepLog steps={steps} />}
      </Stack>
    </Section>
  );
}

/** The prefix of the API message, used as the title here. */
const FAILED = "OAuth Discovery Failed";

function Failed({ error }: { error: Error | null }) {
  if (error === null) return null;
  return (
    <div className="gh-note" data-tone="bad" role="alert">
      <Text size="sm" fw={600}>
        {FAILED}
      </Text>
      <Text size="sm">{error.message.replace(`${FAILED}: `, "")}</Text>
      <Text size="sm" mt={4}>
        If you run the server, fix the last step and discover again. Otherwise, register a client at the provider with
        the redirect URL below, and enter its client ID and URLs below.
      </Text>
    </div>
  );
}

const CLIENTS: Readonly<Record<Discovered["client"], string>> = {
  settings: "Settings below",
  document: "Client metadata document",
  registered: "Registered automatically",
  missing: "Missing: register one manually",
};

function Found({ found }: { found: Discovered }) {
  return (
    <>
      <Note tone={found.advice === null ? "good" : "warn"}>{found.advice ?? "Users can connect."}</Note>
      {found.shared_with.length > 0 && (
        <Note tone="warn">
          Users of {found.shared_with.join(", ")} sign in at the same authorization server. If it issues tokens that are
          valid at both, this server can use them there.
        </Note>
      )}
      <KeyValues
        items={[
          ["Issuer", found.issuer],
          ["Authorization URL", found.authUrl],
          ["Token URL", found.tokenUrl],
          ["Registration URL", found.registrationUrl],
          ["Resource", found.resource],
          ["Scopes", found.scopes.join(" ") || null],
          ["Client", CLIENTS[found.client]],
        ]}
      />
    </>
  );
}

function StepLog({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className="gh-steps" aria-label="Discovery steps">
      {steps.map(({ asked, answered, concluded }) => (
        <li key={`${asked} ${answered} ${concluded}`}>
          <code>{asked}</code>
          <Text size="sm" c="dimmed">
            {answered}
          </Text>
          <Text size="sm">{concluded}</Text>
        </li>
      ))}
    </ol>
  );
}

/** A failed discovery also returns its steps (D35). */
function stepsOf(error: unknown): readonly Step[] {
  const body = error instanceof ApiError ? error.body : undefined;
  if (typeof body !== "object" || body === null || !("steps" in body) || !Array.isArray(body.steps)) return [];
  return body.steps.map((step: Partial<Step>) => ({
    asked: String(step.asked ?? ""),
    answered: String(step.answered ?? ""),
    concluded: String(step.concluded ?? ""),
  }));
}
