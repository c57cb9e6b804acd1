import type { Page } from "playwright-core";

/** Unexpected events on a page. */
export interface Findings {
  list(): readonly string[];
  /** Allows error statuses that the test provokes, including their console messages. */
  allowStatus(...statuses: number[]): void;
  /** Allows failed requests while the test makes the service unreachable. */
  allowUnreachable(): void;
  /** Allows console messages that contain this text. */
  allowConsole(text: string): void;
  /** Allows requests to another origin that the test navigates to. */
  allowOrigin(origin: string): void;
}

/** The browser reports CSP violations through this function. */
const REPORT = "reportCspViolation";
const LISTEN = `addEventListener("securitypolicyviolation", (event) =>
  ${REPORT}(event.effectiveDirective + " blocked " + (event.blockedURI || "inline") + " at " + event.sourceFile));`;

export async function watch(page: Page, url: string): Promise<Findings> {
  const found: string[] = [];
  const refused: { readonly status: number; readonly text: string }[] = [];
  const allowed = new Set<number>();
  const expected: string[] = [];
  let isUnreachableAllowed = false;
  const origins = new Set([new URL(url).origin]);
  await page.exposeFunction(REPORT, (text: string) => void found.push(`CSP: ${text}`));
  await page.addInitScript(LISTEN);
  page.on("pageerror", (error) => found.push(`error: ${error.stack ?? error.message}`));
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    const status = /the server responded with a status of (\d+)/.exec(message.text())?.[1];
    const isExpected = /net::ERR_/.test(message.text()) || expected.some((text) => message.text().includes(text));
    // Error statuses and failed requests are recorded by their own listeners.
    if (status === undefined && !isExpected) found.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    const requested = request.url();
    if (!/^(?:data|blob):/.test(requested) && !origins.has(new URL(requested).origin)) {
      found.push(`other origin: ${requested}`);
    }
  });
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // Aborted requests are normal during navigation.
    if (reason !== "net::ERR_ABORTED" && !isUnreachableAllowed) found.push(`failed: ${request.url()}: ${reason}`);
  });
  page.on("response", (response) => {
    const status = response.status();
    if (status >= 400) refused.push({ status, text: `status ${status}: ${response.url()}` });
  });
  return {
    list: () => [...found, ...refused.filter(({ status }) => !allowed.has(status)).map(({ text }) => text)],
    allowOrigin: (origin) => void origins.add(origin),
    allowStatus(...statuses) {
      for (const status of statuses) allowed.add(status);
    },
    allowUnreachable() {
      isUnreachableAllowed = true;
    },
    allowConsole(text) {
      expected.push(text);
    },
  };
}
