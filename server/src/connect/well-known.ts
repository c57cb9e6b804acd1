/** URLs of metadata documents, in the order in which they are tried. */

/** RFC 9728: with the path inserted, then at the root. */
export function resourceMetadataUrls(serverUrl: string): string[] {
  const { origin, path } = parts(serverUrl);
  const root = `${origin}/.well-known/oauth-protected-resource`;
  return path === "" ? [root] : [root + path, root];
}

/** RFC 8414 before OpenID Connect, whose older form appends instead of inserting. */
export function serverMetadataUrls(issuer: string): string[] {
  const { origin, path } = parts(issuer);
  const urls = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
  ];
  return path === "" ? urls : [...urls, `${origin}${path}/.well-known/openid-configuration`];
}

/** RFC 8707: without a fragment and without a trailing slash. */
export function resourceOf(serverUrl: string): string {
  const { origin, path, search } = parts(serverUrl);
  return origin + path + search;
}

/** Whether a resource is the server's URL or a parent path on the same origin (OA-5). */
export function coversResource(named: string, serverUrl: string): boolean {
  if (!URL.canParse(named)) return false;
  const [resource, server] = [parts(named), parts(serverUrl)];
  return resource.origin === server.origin && `${server.path}/`.startsWith(`${resource.path}/`);
}

function parts(address: string): { origin: string; path: string; search: string } {
  const { origin, pathname, search } = new URL(address);
  return { origin, path: pathname.replace(/\/+$/, ""), search };
}
