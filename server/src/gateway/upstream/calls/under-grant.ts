/** `gone`: nothing goes on; `replaced`: what a caller waits for may still come to its end. */
export type GrantEnd = "gone" | "replaced";

export interface OpenUnderGrant {
  readonly userId: string;
  readonly serverId: string;
  readonly grant: string;
  end(how: GrantEnd): void;
}
