/** People sign in when their client prompts them; machine users send their access key. */
export type Caller = "person" | "machine";

export interface GatewayTarget {
  /** `https://gatehouse.example.com/mcp`, or the URL of one server. */
  readonly url: string;
  /** The server's name in the client's configuration. */
  readonly name: string;
  readonly caller: Caller;
}

export interface Step {
  readonly text: string;
  readonly code?: string;
  /** Kind of the code for the copy button, such as "command". */
  readonly what?: string;
  /** Opens the client, which asks whether to add the server. */
  readonly link?: { readonly label: string; readonly href: string };
}

/** The URL as an argument of a command: shells expand the `?` of a query. */
export function shellUrl(url: string): string {
  return url.includes("?") ? `"${url}"` : url;
}
