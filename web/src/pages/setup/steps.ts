/** How the caller shows who it is: people sign in when their client asks them to, machines carry their key. */
export type Caller = "person" | "machine";

export interface Address {
  /** `https://gatehouse.example.com/mcp`, or that of one server. */
  readonly url: string;
  /** What the client shall call it. */
  readonly name: string;
  readonly caller: Caller;
}

export interface Step {
  readonly text: string;
  readonly code?: string;
  /** What the code is, for the copy button: "command". */
  readonly what?: string;
  /** Opens the client with the question whether to add the server. */
  readonly link?: { readonly label: string; readonly href: string };
}
