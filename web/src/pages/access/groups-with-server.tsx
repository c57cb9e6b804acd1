import { Button, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { notifyWithUndo } from "../../components/notify.tsx";
import { useMembership } from "../groups/membership.ts";
import type { Explanation } from "./access.ts";

type GroupOfServer = Explanation["groups"][number];

/** The groups that contain the server. Offers to add the user to one, or to show drafts, if that gives access. */
export function GroupsWithServer({ explanation }: { explanation: Explanation }) {
  const { changes } = useRights();
  const { groups } = explanation;
  const fix = useGroupFix(explanation);
  if (groups.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        Groups with this server
      </Text>
      <ul className="gh-access-groups">
        {groups.map((group) => {
          const label = fixLabel(explanation, group);
          return (
            <li key={group.name}>
              <Link to="/groups/$name" params={{ name: group.name }} search={{ tab: "servers" }}>
                {group.name}
              </Link>
              <span className="gh-dim">
                {group.member ? "Member" : "Not a member"}
                {group.blocked_by === null ? "" : BLOCKED[group.blocked_by]}
              </span>
              {changes && label !== undefined && (
                <Button
                  variant="default"
                  size="compact-xs"
                  loading={fix.isPending && fix.variables.name === group.name}
                  onClick={() => fix.mutate(group)}
                >
                  {label}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      <ErrorNote error={fix.error} />
    </div>
  );
}

const BLOCKED = { draft: ", hides drafts", selection: ", does not grant this tool" } as const;

function fixLabel({ reason }: Explanation, { name, member, gives }: GroupOfServer): string | undefined {
  if ((reason === "no_group" || reason === "not_selected") && !member && gives) return `Add to ${name}`;
  return reason === "draft" && member && !gives ? `Show drafts in ${name}` : undefined;
}

function useGroupFix({ email, reason }: Explanation) {
  const api = useApi();
  const { addUsers, refresh } = useMembership();
  return useMutation({
    mutationFn: async ({ name }: GroupOfServer) => {
      if (reason !== "draft") {
        await addUsers(name, [email]);
        return notifyWithUndo(`Added ${email} to ${name}`, async () => {
          await api.removeUserFromGroup({ path: { name }, query: { email } });
          await refresh();
        });
      }
      const showDrafts = async (isOn: boolean) => {
        await api.updateGroup({ query: { name }, body: { settings: { show_draft_mcps: isOn } } });
        await refresh();
      };
      await showDrafts(true);
      notifyWithUndo(`${name} shows drafts`, () => showDrafts(false));
    },
  });
}
