import { Button, Pill, Group as Row, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import type { Pickable } from "../../components/pick.tsx";
import { Section } from "../../components/section.tsx";
import { namesOf, useAllGroups } from "../groups/groups.ts";
import { useMembership } from "../groups/membership.ts";
import { PickGroups } from "../groups/pick-groups.tsx";
import type { User } from "./users.ts";
import "./users.css";

/** The groups of a user or machine user. Removing one can be undone. */
export function UserGroups({ user }: { user: User }) {
  const { changes } = useRights();
  const groups = useAllGroups();
  const { removeUser } = useMembership();
  const [isAdding, adding] = useDisclosure();
  const names = namesOf(groups, user.group_ids);
  const managed = new Set(groups?.filter((group) => group.provisioned_by === "scim").map(({ name }) => name));
  return (
    <Section
      title="Groups"
      description="Groups determine which servers this user can access."
      actions={
        changes &&
        !isAdding && (
          <Button variant="default" size="compact-sm" onClick={adding.open}>
            Add to groups
          </Button>
        )
      }
    >
      {groups && names.length === 0 && <span className="gh-dim">No groups. This user has no access to tools.</span>}
      <Row gap="xs">
        {names.map((name) => (
          <Pill
            key={name}
            size="md"
            className="gh-group-pill"
            withRemoveButton={changes && (user.is_machine_user || !managed.has(name))}
            disabled={removeUser.isPending}
            onRemove={() => removeUser.mutate({ group: name, email: user.email, name: user.name })}
            removeButtonProps={{ "aria-label": `Remove from ${name}`, "aria-hidden": false, tabIndex: 0 }}
          >
            <Link to="/groups/$name" params={{ name }}>
              {name}
            </Link>
          </Pill>
        ))}
      </Row>
      {isAdding && <JoinForm user={user} joined={names} onClose={adding.close} />}
    </Section>
  );
}

interface JoinFormProps {
  readonly user: User;
  /** Names of the groups that the user is in. */
  readonly joined: readonly string[];
  onClose(): void;
}

function JoinForm({ user, joined, onClose }: JoinFormProps) {
  const { addUsers } = useMembership();
  const [picked, setPicked] = useState<readonly Pickable[]>([]);
  const join = useMutation({
    mutationFn: async () => {
      for (const { value } of picked) await addUsers(value, [user.email]);
    },
    onSuccess: onClose,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (picked.length > 0) join.mutate();
      }}
    >
      <Stack gap="xs" maw="32rem" mt="sm">
        <PickGroups label="Groups" picked={picked} onPick={setPicked} exclude={joined} />
        <ErrorNote error={join.error} />
        <Row gap="xs">
          <Button type="submit" disabled={picked.length === 0} loading={join.isPending}>
            Add
          </Button>
          <Button variant="default" onClick={onClose} disabled={join.isPending}>
            Cancel
          </Button>
        </Row>
      </Stack>
    </form>
  );
}
