/**
 * The sections of the navigation, in order. A page joins a section with `nav.section` in its own routes.ts. A section
 * without a label has no heading.
 */
export const NAV_SECTIONS = [
  { id: "top", label: undefined },
  { id: "gateway", label: "Gateway" },
  { id: "content", label: "Content" },
  { id: "access", label: "Access" },
  { id: "discovery", label: "AI discovery" },
  { id: "activity", label: "Activity" },
  { id: "you", label: "You" },
  { id: "bottom", label: undefined },
] as const;

export type NavSection = (typeof NAV_SECTIONS)[number];
