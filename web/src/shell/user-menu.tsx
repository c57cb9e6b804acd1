import { Avatar, Menu, Text, UnstyledButton, useMantineColorScheme, VisuallyHidden } from "@mantine/core";
import { IconBook, IconKeyboard, IconLogout, IconPlugConnected, IconUserCircle } from "@tabler/icons-react";
import { useRef } from "react";
import { withBasePath } from "../api/base-path.ts";
import { useMe } from "../api/context.tsx";
import { KeyHint } from "../components/key-hint.tsx";
import { LinkItem } from "../components/links.tsx";
import { MenuItems } from "../components/menu-items.tsx";
import { SignOutForm } from "./sign-out-form.tsx";

/** The menu of the signed-in user: theme, account, help, and sign-out. */
export function UserMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const { data: me, version } = useMe();
  const signOut = useRef<HTMLFormElement>(null);
  return (
    <>
      <Menu width={248} closeOnItemClick>
        <Menu.Target>
          <UnstyledButton className="gh-user">
            <Avatar size={30} radius="xl" name={me.name} color="accent" alt="" aria-hidden />
            <VisuallyHidden>Account of {me.name}</VisuallyHidden>
          </UnstyledButton>
        </Menu.Target>
        <MenuItems>
          <div className="gh-user-name">
            <Text size="sm" fw={600} truncate>
              {me.name}
            </Text>
            <Text size="xs" c="dimmed" truncate>
              {me.email} · {me.role}
            </Text>
          </div>
          <Menu.Divider />
          <LinkItem to="/setup" leftSection={<IconPlugConnected size={16} />}>
            Connect a client
          </LinkItem>
          <Menu.Divider />
          <ThemeItems />
          <Menu.Divider />
          <LinkItem to="/account" leftSection={<IconUserCircle size={16} />}>
            Account
          </LinkItem>
          <Menu.Item
            leftSection={<IconKeyboard size={16} />}
            rightSection={<KeyHint keys={["?"]} />}
            onClick={onShortcuts}
          >
            Keyboard shortcuts
          </Menu.Item>
          <Menu.Item component="a" href={withBasePath("/docs")} target="_blank" leftSection={<IconBook size={16} />}>
            API documentation
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signOut.current?.requestSubmit()}>
            Sign out
          </Menu.Item>
          <Text size="xs" c="dimmed" px="sm" py={4}>
            Gatehouse {version}
          </Text>
        </MenuItems>
      </Menu>
      <SignOutForm ref={signOut} hidden />
    </>
  );
}

const SCHEMES = [
  { value: "light", label: "Light theme" },
  { value: "dark", label: "Dark theme" },
  { value: "auto", label: "System theme" },
] as const;

function ThemeItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const choose = (value: string) => setColorScheme(SCHEMES.find((scheme) => scheme.value === value)?.value ?? "auto");
  return (
    <Menu.RadioGroup value={colorScheme} onChange={choose}>
      {SCHEMES.map(({ value, label }) => (
        <Menu.RadioItem key={value} value={value}>
          {label}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}
