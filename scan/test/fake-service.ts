/** The service's operations that the scan agent uses, with a policy that a test sets. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import type { EffectivePolicy, PolicyRule } from "#policy/policy-types";
import type { Report } from "#policy/types";

export interface FakeService {
  readonly url: string;
  readonly reports: Report[];
  readonly requests: string[];
  policy: EffectivePolicy;
  /** Answers with this status instead. */
  failWith: number | undefined;
  /** Answers with 200 and this text instead. */
  answerWith: string | undefined;
  /** Whether it wants the texts of skills that it does not have. */
  wantsTexts: boolean;
  /** Refuses larger reports with 413, like a proxy. */
  maxBytes: number | undefined;
  close(): Promise<void>;
}

export function policyWith(
  rules: readonly Partial<PolicyRule>[],
  changes: Partial<EffectivePolicy> = {},
): EffectivePolicy {
  return {
    version: 1,
    enforcement: "enforce",
    default_actions: { mcp_servers: "allow", skills: "allow" },
    always_allow_managed: true,
    notify_users: false,
    rules: rules.map((rule, at) => ({
      ...{
        id: `rule_${at}`,
        name: `Rule ${at}`,
        kind: "mcp_server",
        action: "block",
        enabled: true,
        position: at + 1,
        match: {},
      },
      ...rule,
    })),
    device: { id: "device", user: null, groups: [] },
    gateway_urls: [],
    skill_digests: [],
    facts: {},
    ...changes,
  };
}

/** Digests of the reported skills whose texts no report contained. */
function missingTexts({ skills }: Report, reports: readonly Report[]): string[] {
  const texts = reports.flatMap((each) => each.skills).filter(({ content }) => content !== undefined);
  const known = new Set(texts.map(({ digest }) => digest));
  return [...new Set(skills.map(({ digest }) => digest))].filter((digest) => !known.has(digest));
}

export async function startService(policy: EffectivePolicy): Promise<FakeService> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      service.requests.push(`${request.method} ${request.url?.split("?")[0]} ${request.headers.authorization}`);
      if (service.failWith !== undefined) return response.writeHead(service.failWith).end('{"error":"no"}');
      if (service.answerWith !== undefined) return response.end(service.answerWith);
      if (request.method === "POST") {
        if (Buffer.concat(chunks).length > (service.maxBytes ?? Number.POSITIVE_INFINITY)) {
          return response.writeHead(413).end('{"error":"too large"}');
        }
        const report = JSON.parse(gunzipSync(Buffer.concat(chunks)).toString()) as Report;
        service.reports.push(report);
        const wanted_texts = service.wantsTexts ? missingTexts(report, service.reports) : [];
        return response.end(
          JSON.stringify({
            data: { device_id: report.device.id, accepted: {}, wanted_texts, next_scan_seconds: 3600 },
          }),
        );
      }
      const etag = `"${service.policy.version}"`;
      if (request.headers["if-none-match"] === etag) return response.writeHead(304).end();
      return response.setHeader("etag", etag).end(JSON.stringify({ data: service.policy }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const service: FakeService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reports: [],
    requests: [],
    policy,
    failWith: undefined,
    answerWith: undefined,
    wantsTexts: true,
    maxBytes: undefined,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return service;
}
