import { Button, Group as Row, Stack } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi, useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { TextLink } from "../../components/links.tsx";
import { notifyDone } from "../../components/notify.tsx";
import type { Pickable } from "../../components/pick.tsx";
import { PickUsers } from "../users/pick-users.tsx";
import { type User, usersKey } from "../users/users.ts";

type Owners = NonNullable<User["owners"]>;

export function EditOwners({ user }: { user: User }) {
  const { changes } = useRights();
  const [isEditing, setEditing] = useState(false);
  const owners = user.owners ?? [];
  if (isEditing) return <OwnersForm user={user} owners={owners} onClose={() => setEditing(false)} />;
  return (
    <Row gap="md">
      {owners.length === 0 && <span className="gh-dim">No owners</span>}
      {owners.map(({ id, name, email }) => (
        <TextLink key={id} to="/users/$email" params={{ email }} size="sm">
          {name}
        </TextLink>
      ))}
      {changes && (
        <Button variant="default" size="compact-sm" onClick={() => setEditing(true)}>
          Change owners
        </Button>
      )}
    </Row>
  );
}

function OwnersForm({ user, owners, onClose }: { user: User; owners: Owners; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const [picked, setPicked] = useState<readonly Pickable[]>(owners.map(asOwner));
  const save = useMutation({
    mutationFn: () =>
      api.updateUser({ query: { email: user.email }, body: { owner_ids: picked.map(({ value }) => value) } }),
    onSuccess: async () => {
      notifyDone();
      await queries.invalidateQueries({ queryKey: usersKey });
      onClose();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Stack gap="xs" maw="32rem">
        <PickUsers label="Owners" type="person" picked={picked} onPick={setPicked} toPickable={asOwner} />
        <ErrorNote error={save.error} />
        <Row gap="xs">
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
          <Button variant="default" onClick={onClose} disabled={save.isPending}>
            Cancel
          </Button>
        </Row>
      </Stack>
    </form>
  );
}

function asOwner({ id, name, email }: Owners[number]): Pickable {
  return { value: id, label: name, description: email };
}
