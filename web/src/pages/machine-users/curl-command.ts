/** A first call with the three headers that every call carries (Spec 4.5). */
export function curlCommand(url: string, key: string): string {
  return [
    `curl ${url}`,
    `-H "Authorization: Bearer ${key}"`,
    `-H "Content-Type: application/json"`,
    `-H "Accept: application/json, text/event-stream"`,
    `-d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
  ].join(" \\\n  ");
}
