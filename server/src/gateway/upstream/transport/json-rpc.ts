export function jsonRpc(message: Readonly<Record<string, unknown>>): Buffer {
  return Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
}
