import { ActionIcon, Button, Skeleton, Switch, Text, Tooltip } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconGripVertical, IconPencil, IconPlus, IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type DragEvent, useState } from "react";
import { useApi, useRights } from "../../api/context.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { ErrorNote, ErrorState } from "../../components/error-state.tsx";
import { Section } from "../../components/section.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { describeMatch } from "./conditions.ts";
import { discoveryKey, type Rule, rulesQuery } from "./discovery.ts";
import { useFocusAfterMove } from "./focus-after-move.ts";
import { ActionPill } from "./pills.tsx";
import { NEW_RULE, RuleDialog } from "./rule-dialog.tsx";
import "./discovery.css";

const route = getRouteApi("/discovery/policy");

/** The rules in their order. They are moved by dragging, or with the arrow buttons. */
export function RuleList() {
  const api = useApi();
  const { changes } = useRights();
  const queries = useQueryClient();
  const navigate = route.useNavigate();
  const { rule: open } = route.useSearch();
  const { data: rules, error, refetch } = useQuery(rulesQuery(api));
  const [dragged, setDragged] = useState<string>();
  const [target, setTarget] = useState<string>();
  const [deleting, setDeleting] = useState<Rule>();
  const refresh = () => queries.invalidateQueries({ queryKey: discoveryKey });
  const order = useMutation({
    mutationFn: (ids: readonly string[]) => api.orderDiscoveryRules({ body: { ids: [...ids] } }),
    onSettled: refresh,
  });
  const { list, remember } = useFocusAfterMove(order.isPending);
  const toggle = useMutation({
    mutationFn: ({ id, enabled }: Rule) => api.updateDiscoveryRule({ query: { id }, body: { enabled: !enabled } }),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: ({ id }: Rule) => api.deleteDiscoveryRule({ query: { id } }),
    onSuccess: async () => {
      setDeleting(undefined);
      await refresh();
    },
  });
  const openRule = (id: string | undefined) => void navigate({ search: (old) => ({ ...old, rule: id }) });
  const ids = (rules ?? []).map(({ id }) => id);
  const move = (id: string, to: number) => {
    const rest = ids.filter((each) => each !== id);
    rest.splice(to, 0, id);
    order.mutate(rest);
  };
  const drop = (event: DragEvent, id: string) => {
    event.preventDefault();
    if (dragged !== undefined && dragged !== id) move(dragged, ids.indexOf(id));
    setDragged(undefined);
    setTarget(undefined);
  };
  return (
    <Section
      title="Rules"
      description="The first rule that matches decides."
      actions={
        changes && (
          <Button leftSection={<IconPlus size={16} />} onClick={() => openRule(NEW_RULE)}>
            Create rule
          </Button>
        )
      }
    >
      {error && !rules && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!rules && !error && <Skeleton height={96} />}
      {rules?.length === 0 && <Text size="sm">No rules. The defaults below decide about everything.</Text>}
      <ErrorNote error={order.error ?? toggle.error} />
      <ol className="gh-rules" aria-label="Rules" ref={list} onClickCapture={remember}>
        {rules?.map((rule, at) => (
          <li
            key={rule.id}
            className="gh-rule"
            data-rule={rule.id}
            data-dragged={dragged === rule.id || undefined}
            data-target={(target === rule.id && dragged !== rule.id) || undefined}
            draggable={changes}
            onDragStart={({ dataTransfer }) => {
              // Firefox starts no drag without data.
              dataTransfer.setData("text/plain", rule.name);
              dataTransfer.effectAllowed = "move";
              setDragged(rule.id);
            }}
            onDragEnd={() => setDragged(undefined)}
            onDragOver={(event) => {
              event.preventDefault();
              setTarget(rule.id);
            }}
            onDrop={(event) => drop(event, rule.id)}
          >
            {changes ? <IconGripVertical size={16} aria-hidden /> : <span>{rule.position}</span>}
            <span className="gh-rule-text">
              <span className="gh-rule-name">
                <ActionPill action={rule.action} />
                <span className="gh-rule-title" title={rule.name}>
                  {rule.name}
                </span>
                {!rule.enabled && <StatusPill tone="quiet">Disabled</StatusPill>}
              </span>
              <Text size="xs" c="dimmed" component="span" title={describeMatch(rule.match)}>
                {rule.kind === "skill" ? "Skills" : "MCP servers"} · {describeMatch(rule.match)}
              </Text>
              <RuleEnd rule={rule} />
              {rule.warnings.map((warning) => (
                <Text key={warning} size="xs" component="span" className="gh-rule-warning">
                  {warning}
                </Text>
              ))}
            </span>
            {changes && (
              <span className="gh-rule-actions">
                <Switch
                  aria-label={`Enable ${rule.name}`}
                  checked={rule.enabled}
                  disabled={toggle.isPending}
                  onChange={() => toggle.mutate(rule)}
                />
                <Move
                  label={`Move ${rule.name} up`}
                  disabled={at === 0 || order.isPending}
                  onClick={() => move(rule.id, at - 1)}
                >
                  <IconArrowUp size={16} />
                </Move>
                <Move
                  label={`Move ${rule.name} down`}
                  disabled={at === ids.length - 1 || order.isPending}
                  onClick={() => move(rule.id, at + 1)}
                >
                  <IconArrowDown size={16} />
                </Move>
                <Move label={`Edit ${rule.name}`} onClick={() => openRule(rule.id)}>
                  <IconPencil size={16} />
                </Move>
                <Move label={`Delete ${rule.name}`} onClick={() => setDeleting(rule)}>
                  <IconTrash size={16} />
                </Move>
              </span>
            )}
          </li>
        ))}
      </ol>
      {changes && rules && <RuleDialog open={open} rules={rules} onClose={() => openRule(undefined)} />}
      <ConfirmDialog
        opened={deleting !== undefined}
        title={`Delete rule ${deleting?.name}?`}
        action="Delete rule"
        isDestructive
        isWorking={remove.isPending}
        error={remove.error}
        onConfirm={() => deleting && remove.mutate(deleting)}
        onClose={() => setDeleting(undefined)}
      >
        The policy is evaluated again for all devices.
      </ConfirmDialog>
    </Section>
  );
}

function RuleEnd({ rule: { expires_at: end } }: { rule: Rule }) {
  if (end === null) return null;
  const isOver = new Date(end).getTime() <= Date.now();
  return (
    <Text size="xs" c="dimmed" component="span">
      {isOver ? "Expired" : "Expires"} <TimeAgo time={end} />
    </Text>
  );
}

interface MoveProps {
  readonly label: string;
  readonly disabled?: boolean;
  readonly children: React.ReactNode;
  onClick(): void;
}

function Move({ label, disabled = false, children, onClick }: MoveProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} disabled={disabled} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
