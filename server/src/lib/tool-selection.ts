/** Which tools of a server a group grants, by their names at the server. */
export interface ToolSelection {
  /** `only`: these tools. `except`: all others, including tools that the server adds later. */
  readonly rule: "only" | "except";
  readonly names: ReadonlySet<string>;
}

export function selects({ rule, names }: ToolSelection, name: string): boolean {
  return names.has(name) === (rule === "only");
}
