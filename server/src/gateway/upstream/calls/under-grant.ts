/** `gone`: everything under the grant ends; `replaced`: open calls may finish. */
export type GrantEnd = "gone" | "replaced";

/** Something that was opened with a user's credential. */
export interface OpenUnderGrant {
  readonly userId: string;
  readonly serverId: string;
  readonly grant: string;
  end(how: GrantEnd): void;
}
