import { ActionIcon, Button, Divider, Group, Menu, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure, useLocalStorage } from "@mantine/hooks";
import { IconBookmark, IconChevronDown, IconTrash } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { MenuItems } from "../../components/menu-items.tsx";
import type { CallFilters } from "./calls.ts";
import { readViews, type SavedView, VIEWS_KEY, withView } from "./saved-views.ts";

const PRESETS: readonly SavedView[] = [
  { name: "Server unavailable", search: { outcome: "upstream_failed" } },
  { name: "Denied", search: { outcome: "denied" } },
  { name: "Slower than 1 s", search: { min_ms: "1000" } },
];

interface ViewsMenuProps {
  readonly filters: CallFilters;
  onChoose(search: SavedView["search"]): void;
}

/** Saved filters. They are stored in this browser only. */
export function ViewsMenu({ filters, onChoose }: ViewsMenuProps) {
  const [opened, menu] = useDisclosure();
  const [views, setViews] = useLocalStorage<readonly SavedView[]>({
    key: VIEWS_KEY,
    defaultValue: [],
    deserialize: readViews,
  });
  const choose = (search: SavedView["search"]) => {
    menu.close();
    onChoose(search);
  };
  return (
    <Menu opened={opened} onChange={(open) => (open ? menu.open() : menu.close())} width={280} position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconBookmark size={15} />} rightSection={<IconChevronDown size={14} />}>
          Views
        </Button>
      </Menu.Target>
      <MenuItems>
        {PRESETS.map(({ name, search }) => (
          <Menu.Item key={name} onClick={() => choose(search)}>
            {name}
          </Menu.Item>
        ))}
        {views.length > 0 && <Menu.Label>Saved in this browser</Menu.Label>}
        {views.map(({ name, search }) => (
          <Group key={name} gap={4} wrap="nowrap">
            <Menu.Item onClick={() => choose(search)}>
              <Text truncate maw={190} inherit>
                {name}
              </Text>
            </Menu.Item>
            <ActionIcon
              aria-label={`Remove view ${name}`}
              onClick={() => setViews((old) => old.filter((view) => view.name !== name))}
            >
              <IconTrash size={15} />
            </ActionIcon>
          </Group>
        ))}
        <Divider my={4} />
        <SaveForm
          onSave={(name) => {
            setViews((old) => withView(old, { name, search: searchOf(filters) }));
            menu.close();
          }}
        />
      </MenuItems>
    </Menu>
  );
}

function searchOf(filters: CallFilters): SavedView["search"] {
  return Object.fromEntries(Object.entries(filters).filter((entry): entry is [string, string] => !!entry[1]));
}

function SaveForm({ onSave }: { onSave: (name: string) => void }) {
  const [name, setName] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "") return;
    onSave(name.trim());
    setName("");
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs" p="xs">
        <TextInput
          label="Save current view as"
          description="Saves the filters and time range in this browser"
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          onKeyDown={(event) => event.stopPropagation()}
        />
        <Button type="submit" variant="default">
          Save view
        </Button>
      </Stack>
    </form>
  );
}
