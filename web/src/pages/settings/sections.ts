/** The sections of the settings, in the order of the side list. The first is the page without a part in its URL. */
export const SECTIONS = [
  { part: "general", label: "General" },
  { part: "sign-in", label: "Sign-in and SSO" },
  { part: "provisioning", label: "Provisioning" },
  { part: "email", label: "Email" },
  { part: "limits", label: "Gateway limits" },
  { part: "logs", label: "Logs and retention" },
  { part: "keys", label: "Secrets and keys" },
  { part: "about", label: "About" },
] as const;

export type SectionPart = (typeof SECTIONS)[number]["part"];
