import { Stack, Text } from "@mantine/core";
import { Section } from "../../components/section.tsx";
import type { Device } from "./discovery.ts";

const MOST_SHOWN = 50;

const REASONS: Readonly<Record<string, string>> = {
  parse_error: "Not valid",
  too_large: "Too large",
  not_readable: "No permission to read it",
  outside_home: "Link to a path outside of the home folder",
  not_a_file: "Not a file",
  too_many_entries: "Too many entries; some were not read",
  symlink_loop: "Link to itself",
  rejected: "Some entries were rejected",
};

/** What the last report does not cover. */
export function UnreadPaths({ errors }: { errors: Device["scan_errors"] }) {
  if (errors.length === 0) return null;
  const more = errors.length - MOST_SHOWN;
  return (
    <Section title="Not read completely" description="What was found there before is kept until it can be read again.">
      <Stack gap="xs" fz="sm">
        {errors.slice(0, MOST_SHOWN).map(({ path, code }) => (
          <div key={`${code} ${path}`} className="gh-two-lines">
            <code className="gh-truncate" title={path}>
              {path}
            </code>
            <span>{REASONS[code] ?? code}</span>
          </div>
        ))}
        {more > 0 && <Text size="sm">And {more.toLocaleString("en")} more</Text>}
      </Stack>
    </Section>
  );
}
