import { once } from "node:events";
import { createServer } from "node:http";
import { type Config, isLoopback } from "#config/config";
import { MetricsText } from "#lib/metrics-text";
import { openPort } from "#lib/open-port";

export interface MetricsListener {
  /** Resolves with the port. */
  listen(): Promise<number>;
  close(): Promise<void>;
}

const LOCAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** A separate port keeps metrics for operators off the public URL. */
export function createMetricsListener(
  { metricsHost: host, metricsPort: port }: Pick<Config, "metricsHost" | "metricsPort">,
  render: () => string | Promise<string>,
): MetricsListener | undefined {
  if (port === undefined) return undefined;
  const server = createServer(async (request, response) => {
    // AUTH-9: on loopback, a page in a browser must not read metrics through DNS rebinding.
    const isForeign = isLoopback(host) && !LOCAL_HOST.test(request.headers.host ?? "");
    const status = isForeign ? 403 : request.url !== "/metrics" ? 404 : request.method !== "GET" ? 405 : 200;
    const [type, text] = status === 200 ? [MetricsText.contentType, await render()] : ["text/plain", "See /metrics\n"];
    response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(text) }).end(text);
  });
  return {
    listen: () => openPort(server, { host, port }, "METRICS_HOST, METRICS_PORT"),
    async close() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
