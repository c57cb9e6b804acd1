import { readFile } from "node:fs/promises";
import type { FastifyInstance, FastifyReply } from "fastify";
import { sendFile } from "#api/kit/send-file";

/** What can be downloaded from the folder of the scan agent's build, and its type. */
const FILES: Readonly<Record<string, string>> = {
  "gatehouse-scan.mjs": "text/javascript; charset=utf-8",
  "gatehouse-scan.json": "application/json; charset=utf-8",
  "gatehouse-scan": "application/octet-stream",
};
/** Templates for device management, which are filled with the URL of this service. */
const TEMPLATES: Readonly<Record<string, (text: string) => string>> = {
  "gatehouse-scan.mobileconfig": escapeXml,
  "com.gatehouse.scan.plist": escapeXml,
  "gatehouse-scan.reg": escapeQuoted,
  "config.json": escapeQuoted,
  "gatehouse-scan.service": (text) => text,
};
const MISSING =
  "The scan agent is not part of this installation. Build it with `npm run scan:build`, or install a release that contains it";

/** The scan agent and its configuration for device management. They contain no secrets and need no credential. */
export function mountDownloads(server: FastifyInstance, { folder, baseUrl }: { folder: URL; baseUrl: string }): void {
  const read = (path: string) => readFile(new URL(path, folder)).catch(() => undefined);
  server.get<{ Params: { file: string } }>("/downloads/:file", async (request, reply) => {
    const { file } = request.params;
    const type = Object.hasOwn(FILES, file) ? FILES[file] : undefined;
    if (type === undefined) return reply.code(404).send({ error: "Not found" });
    reply.type(type).header("content-disposition", `attachment; filename="${file}"`);
    return (await sendFile(new URL(file, folder), request, reply)) ?? missing(reply);
  });
  server.get<{ Params: { file: string } }>("/downloads/mdm/:file", async ({ params: { file } }, reply) => {
    const escapeUrl = Object.hasOwn(TEMPLATES, file) ? TEMPLATES[file] : undefined;
    if (!escapeUrl) return reply.code(404).send({ error: "Not found" });
    const template = await read(`mdm/${file}`);
    if (!template) return missing(reply);
    // The token is a secret: the administrator adds it.
    const text = template
      .toString("utf8")
      .replaceAll("{{GATEHOUSE_URL}}", () => escapeUrl(baseUrl))
      .replaceAll("{{GATEHOUSE_SCAN_TOKEN}}", "");
    const disposition = `attachment; filename="${file}"`;
    return reply.type("text/plain; charset=utf-8").header("content-disposition", disposition).send(text);
  });
}

function missing(reply: FastifyReply): FastifyReply {
  return reply.removeHeader("content-disposition").type("application/json").code(404).send({ error: MISSING });
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function escapeQuoted(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
}
