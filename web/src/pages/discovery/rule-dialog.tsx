import { Button, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { Note } from "../../components/note.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { ActionChoice } from "./action-choice.tsx";
import type { Match } from "./conditions.ts";
import { ACTION_LABELS, type Action, discoveryKey, type Rule } from "./discovery.ts";
import { RuleConditions } from "./rule-conditions.tsx";

interface Values extends Record<string, unknown> {
  readonly name: string;
  readonly kind: "mcp_server" | "skill";
  readonly action: Action;
  readonly match: Match;
  readonly message: string;
  readonly description: string;
  /** Local date and time, as the input has it. */
  readonly expires_at: string;
}

/** In place of an ID: the dialog creates a rule. */
export const NEW_RULE = "new";

interface RuleDialogProps {
  /** The ID of the rule, or `NEW_RULE`. Undefined: closed. */
  readonly open: string | undefined;
  readonly rules: readonly Rule[];
  onClose(): void;
}

interface RuleFormProps {
  /** Undefined: a new rule. */
  readonly rule: Rule | undefined;
  readonly rules: readonly Rule[];
  onClose(): void;
}

const KINDS = [
  { value: "mcp_server", label: "MCP servers" },
  { value: "skill", label: "Skills" },
];

/** Creates or edits a rule. Another tab can delete the rule while the dialog is open. */
export function RuleDialog({ open, rules, onClose }: RuleDialogProps) {
  const rule = rules.find(({ id }) => id === open);
  const isNew = open === NEW_RULE;
  const title = isNew ? "Create rule" : rule ? `Edit rule ${rule.name}` : open && "Rule not found";
  return (
    <FormDialog opened={open !== undefined} onClose={onClose} title={title} size="lg">
      {(isNew || rule) && <RuleForm key={open} rule={rule} rules={rules} onClose={onClose} />}
      {open !== undefined && !isNew && !rule && <NotFound onClose={onClose} />}
    </FormDialog>
  );
}

function NotFound({ onClose }: { onClose: () => void }) {
  return (
    <Stack gap="md">
      <Note tone="warn">The policy has no rule with this ID. It may have been deleted.</Note>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Group>
    </Stack>
  );
}

/** Shows what the rule would change before it is saved. */
function RuleForm({ rule, rules, onClose }: RuleFormProps) {
  const api = useApi();
  const queries = useQueryClient();
  const initial: Values = {
    ...{ name: rule?.name ?? "", kind: rule?.kind ?? "mcp_server", action: rule?.action ?? "block" },
    // The API stored it from the same shape.
    ...{ match: (rule?.match ?? {}) as Match, message: rule?.message ?? "" },
    ...{ description: rule?.description ?? "", expires_at: localTime(rule?.expires_at ?? null) },
  };
  const { form, onSubmit, isWorking, error } = useServerForm<Values>({
    initial,
    fieldOf: (field) => (field.startsWith("match") ? "match" : field),
    async submit({ message, expires_at: end, ...values }) {
      const expires_at = end === "" ? null : new Date(end).toISOString();
      const body = { ...values, expires_at, message: message === "" ? null : message };
      if (rule) await api.updateDiscoveryRule({ query: { id: rule.id }, body });
      else await api.createDiscoveryRule({ body });
      await queries.invalidateQueries({ queryKey: discoveryKey });
      onClose();
    },
  });
  const { kind, match } = form.values;
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="md">
        <TextInput label="Name" required data-autofocus {...form.getInputProps("name")} />
        <Select label="Applies to" data={KINDS} allowDeselect={false} {...form.getInputProps("kind")} />
        <ActionChoice
          label="Action"
          value={form.values.action}
          onChange={(action) => form.setFieldValue("action", action)}
        />
        <RuleConditions kind={kind} match={match} onChange={(next) => form.setFieldValue("match", next)} />
        {form.errors.match !== undefined && <Note tone="bad">{form.errors.match}</Note>}
        <TextInput label="Message to the user" description="Shown on the device" {...form.getInputProps("message")} />
        <TextInput
          label="Expires"
          type="datetime-local"
          description="The rule is ignored after this time. Leave empty for no end"
          {...form.getInputProps("expires_at")}
        />
        <TextInput
          label="Description"
          description="Why the rule exists, for other admins"
          {...form.getInputProps("description")}
        />
        <DryRun values={form.values} rule={rule} rules={rules} />
        <ErrorNote error={error} />
        <DialogActions onCancel={onClose} isWorking={isWorking}>
          {rule ? "Save changes" : "Create rule"}
        </DialogActions>
      </Stack>
    </form>
  );
}

/** The form of `datetime-local` inputs. */
function localTime(iso: string | null): string {
  if (iso === null) return "";
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

interface DryRunProps {
  readonly values: Values;
  readonly rule: Rule | undefined;
  readonly rules: readonly Rule[];
}

const SHOWN = 5;

/** What the rule would change, evaluated over everything that was discovered. */
function DryRun({ values: { kind, action, match }, rule, rules }: DryRunProps) {
  const api = useApi();
  const isReady = Object.keys(match).length > 0;
  const { enabled = true, expires_at = null } = rule ?? {};
  const proposed = { name: "Proposed rule", kind, action, match, enabled, expires_at };
  const others = rules.map(({ id, name, match: given, ...each }) =>
    id === rule?.id
      ? proposed
      : {
          ...{ name, kind: each.kind, action: each.action, match: given as Match },
          ...{ enabled: each.enabled, expires_at: each.expires_at },
        },
  );
  const body = { rules: rule ? others : [...others, proposed] };
  const { data, error } = useQuery({
    queryKey: [...discoveryKey, "dry-run", body],
    queryFn: async ({ signal }) => (await api.dryRunDiscoveryPolicy({ body, signal })).data,
    enabled: isReady,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (!isReady) return <Note>Add a condition to see what this rule would change.</Note>;
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Note>Evaluating…</Note>;
  if (data.changes_count === 0) return <Note>This rule changes no decision about what was discovered so far.</Note>;
  return (
    <Note tone="info">
      <Text size="sm" fw={600}>
        Changes {data.changes_count.toLocaleString("en")} {data.changes_count === 1 ? "decision" : "decisions"}
      </Text>
      <ul aria-label="Changed decisions">
        {data.changes.slice(0, SHOWN).map((change) => (
          <li key={change.key}>
            {change.name}: {ACTION_LABELS[change.from].label} → {ACTION_LABELS[change.to].label} on{" "}
            {change.devices_count.toLocaleString("en")} {change.devices_count === 1 ? "device" : "devices"}
          </li>
        ))}
      </ul>
    </Note>
  );
}
