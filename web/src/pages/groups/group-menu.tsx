import { Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconServer2, IconSettings, IconUserPlus } from "@tabler/icons-react";
import { LinkItem } from "../../components/links.tsx";
import { DangerItem, RowMenu } from "../../components/row-menu.tsx";
import { DeleteGroup } from "./delete-group.tsx";
import { addMembersLabel, type Group } from "./groups.ts";

export function GroupMenu({ group }: { group: Group }) {
  const [isDeleting, deleting] = useDisclosure();
  const target = { to: "/groups/$name", params: { name: group.name } } as const;
  return (
    <>
      <RowMenu label={`Actions for ${group.name}`}>
        <LinkItem {...target} search={{ add: "members" }} leftSection={<IconUserPlus size={16} />}>
          {addMembersLabel(group)}
        </LinkItem>
        <LinkItem {...target} search={{ tab: "servers", add: "servers" }} leftSection={<IconServer2 size={16} />}>
          Add servers
        </LinkItem>
        <LinkItem {...target} search={{ tab: "settings" }} leftSection={<IconSettings size={16} />}>
          Settings
        </LinkItem>
        {group.provisioned_by === null && (
          <>
            <Menu.Divider />
            <DangerItem onClick={deleting.open}>Delete…</DangerItem>
          </>
        )}
      </RowMenu>
      <DeleteGroup group={group} opened={isDeleting} onClose={deleting.close} />
    </>
  );
}
