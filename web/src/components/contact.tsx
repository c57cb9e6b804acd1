import { Anchor } from "@mantine/core";

/** The help contact of the organization: an email or a URL. Null: "an administrator". */
export function Contact({ contact }: { contact: string | null }) {
  if (contact === null) return "an administrator";
  const href = /^https?:\/\//i.test(contact) ? contact : `mailto:${contact}`;
  return (
    <Anchor href={href} inherit rel="noreferrer" target="_blank" underline="always">
      {contact}
    </Anchor>
  );
}
