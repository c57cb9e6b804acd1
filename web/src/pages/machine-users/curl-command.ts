/** A message to try a key with, and what it does. */
export interface TriedCall {
  readonly title: string;
  readonly message: object;
}

export const LIST_TOOLS: TriedCall = {
  title: "Try it: list the tools it can call",
  message: { jsonrpc: "2.0", id: 1, method: "tools/list" },
};

/** A call with the three headers that every call carries (Spec 4.5). */
export function curlCommand(url: string, key: string, message: object): string {
  return [
    `curl ${url}`,
    `-H "Authorization: Bearer ${key}"`,
    `-H "Content-Type: application/json"`,
    `-H "Accept: application/json, text/event-stream"`,
    `-d '${JSON.stringify(message)}'`,
  ].join(" \\\n  ");
}
