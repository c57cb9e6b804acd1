/**
 * Whether a host name of a URL always means this machine. Browsers resolve `localhost` and every name below it to loopback
 * (RFC 6761).
 */
export function isLoopbackName(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127(?:\.\d{1,3}){3}$/.test(hostname)
  );
}
