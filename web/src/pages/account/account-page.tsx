import { Button, SegmentedControl, useMantineColorScheme } from "@mantine/core";
import { useMe } from "../../api/context.tsx";
import { TextLink } from "../../components/links.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { SignOutForm } from "../../shell/sign-out-form.tsx";
import { MySessions } from "../connections/my-sessions.tsx";
import { ChangePassword } from "./change-password.tsx";
import { EmailNotices } from "./email-notices.tsx";

export function AccountPage() {
  const { data: me } = useMe();
  const methods = me.sign_in_methods ?? [];
  return (
    <>
      <PageHeader
        title="Account"
        description="Your profile, password, and sessions."
        actions={
          <SignOutForm>
            <Button type="submit" variant="default">
              Sign out
            </Button>
          </SignOutForm>
        }
      />
      <Section title="Profile" description="Admins manage names, emails, and roles.">
        <KeyValues
          items={[
            ["Name", me.name],
            ["Email", me.email],
            ["Role", capitalize(me.role ?? "")],
            ["Sign-in methods", methods.map((method) => METHODS[method]).join(", ") || "None"],
            [
              "MCP clients",
              <TextLink key="clients" to="/connections" size="sm">
                View your MCP clients
              </TextLink>,
            ],
          ]}
        />
      </Section>
      {methods.includes("password") && (
        <Section
          title="Password"
          description="Changing it signs you out on all other devices. Your MCP clients must connect again."
        >
          <ChangePassword email={me.email ?? ""} />
        </Section>
      )}
      <EmailNotices />
      <Section title="Theme">
        <Theme />
      </Section>
      <MySessions />
      <Section
        title="Sign out everywhere"
        description="Ends all your sessions, including this one, and disconnects your MCP clients."
        actions={
          <SignOutForm everywhere>
            <Button type="submit" variant="default">
              Sign out everywhere
            </Button>
          </SignOutForm>
        }
      />
    </>
  );
}

const METHODS = { password: "Password", sso: "Single sign-on" } as const;

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const SCHEMES = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "auto", label: "System" },
] as const;

function Theme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      aria-label="Theme"
      data={SCHEMES.map((scheme) => ({ ...scheme }))}
      value={colorScheme}
      onChange={(value) => setColorScheme(SCHEMES.find((scheme) => scheme.value === value)?.value ?? "auto")}
    />
  );
}
