/** A request for trying an access key, and its title. */
export interface SampleRequest {
  readonly title: string;
  readonly message: object;
}

export const LIST_TOOLS: SampleRequest = {
  title: "Try it: list the available tools",
  message: { jsonrpc: "2.0", id: 1, method: "tools/list" },
};

/** A request with the three headers that the gateway requires (Spec 4.5). */
export function curlCommand(url: string, key: string, message: object): string {
  return [
    `curl ${url}`,
    `-H "Authorization: Bearer ${key}"`,
    `-H "Content-Type: application/json"`,
    `-H "Accept: application/json, text/event-stream"`,
    `-d '${JSON.stringify(message)}'`,
  ].join(" \\\n  ");
}
