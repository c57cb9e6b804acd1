import { Anchor } from "@mantine/core";

/** Whom to ask: an e-mail address, the address of a page, or nobody by name. */
export function Contact({ contact }: { contact: string | null }) {
  if (contact === null) return "an administrator";
  const href = /^https?:\/\//i.test(contact) ? contact : `mailto:${contact}`;
  return (
    <Anchor href={href} inherit rel="noreferrer" target="_blank" underline="always">
      {contact}
    </Anchor>
  );
}
