import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

/** D29: the policy disables scripts, also when the SVG is opened as a page. */
export function sendLogo(request: IncomingMessage, response: ServerResponse, svg: string): void {
  const etag = `"${createHash("sha256").update(svg).digest("base64url").slice(0, 22)}"`;
  const unchanged = tagsOf(request.headers["if-none-match"]).includes(etag);
  response.writeHead(unchanged ? 304 : 200, {
    "content-type": "image/svg+xml",
    "cache-control": "public, max-age=86400",
    etag,
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
  });
  response.end(unchanged ? undefined : svg);
}

/** Compressing proxies turn the tag into a weak one. */
function tagsOf(header: string | undefined): string[] {
  return (header ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
}
