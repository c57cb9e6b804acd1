import { Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { TextLink } from "../../components/links.tsx";
import type { Pickable } from "../../components/pick.tsx";
import { Section } from "../../components/section.tsx";
import { PickGroups } from "./pick-groups.tsx";

interface GroupsOfProps {
  readonly groups: readonly string[];
  /** What members of these groups get. */
  readonly description: string;
  /** The tab of the group's page that lists such records. */
  readonly tab: "toolkits" | "skills" | "commands" | "plugins";
  readonly save: {
    mutate(body: { readonly groups: string[] }, options: { onSuccess(): void }): void;
    readonly isPending: boolean;
    readonly error: unknown;
  };
}

/** The groups whose members can use a record, on its Access tab. */
export function GroupsOf(props: GroupsOfProps) {
  const { groups, description, tab } = props;
  const { changes } = useRights();
  const [isEditing, setEditing] = useState(false);
  return (
    <Section title="Groups" description={description}>
      {isEditing ? (
        <GroupsForm {...props} onClose={() => setEditing(false)} />
      ) : (
        <Group gap="md">
          {groups.length === 0 && <span className="gh-dim">No groups</span>}
          {groups.map((name) => (
            <TextLink key={name} to="/groups/$name" params={{ name }} search={{ tab }} size="sm">
              {name}
            </TextLink>
          ))}
          {changes && (
            <Button variant="default" size="compact-sm" onClick={() => setEditing(true)}>
              Change groups
            </Button>
          )}
        </Group>
      )}
    </Section>
  );
}

function GroupsForm({ groups, save, onClose }: GroupsOfProps & { onClose: () => void }) {
  const [picked, setPicked] = useState<readonly Pickable[]>(groups.map((name) => ({ value: name, label: name })));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ groups: picked.map(({ value }) => value) }, { onSuccess: onClose });
      }}
    >
      <Stack gap="xs" maw="32rem">
        <PickGroups label="Groups" picked={picked} onPick={setPicked} />
        <ErrorNote error={save.error} />
        <Group gap="xs">
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
          <Button variant="default" onClick={onClose} disabled={save.isPending}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
