/** The name of a cookie, limited to its host under https and marked with the port under http. */
export function scopedCookieName(baseUrl: string, name: string): string {
  const { protocol, port } = new URL(baseUrl);
  return protocol === "https:" ? `__Host-${name}` : `${name}-${port || "80"}`;
}
