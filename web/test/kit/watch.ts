import type { Page } from "playwright-core";

/** What happened on a page that must not. */
export interface Findings {
  /** As sentences. */
  list(): readonly string[];
  /** Of an answer that the test provokes; the browser's own line about it in the console counts no more either. */
  allowStatus(...statuses: number[]): void;
  /** While the test keeps the service away, requests find nobody. */
  allowUnreachable(): void;
  /** What the browser writes of a fault that the test provokes, whenever it gets to it. */
  allowConsole(words: string): void;
  /** Where the test itself leads the page, and from where it comes back. */
  allowOrigin(origin: string): void;
}

/** Breaches are told by the browser itself, to a name that only the kit knows. */
const REPORT = "reportBreachToTheKit";
const LISTEN = `addEventListener("securitypolicyviolation", (event) =>
  ${REPORT}(event.effectiveDirective + " refused " + (event.blockedURI || "inline") + " at " + event.sourceFile));`;

export async function watch(page: Page, url: string): Promise<Findings> {
  const found: string[] = [];
  const refused: { readonly status: number; readonly words: string }[] = [];
  const allowed = new Set<number>();
  const expected: string[] = [];
  let mayBeAway = false;
  const origins = new Set([new URL(url).origin]);
  await page.exposeFunction(REPORT, (words: string) => void found.push(`policy: ${words}`));
  await page.addInitScript(LISTEN);
  page.on("pageerror", (error) => found.push(`error: ${error.stack ?? error.message}`));
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    const status = /the server responded with a status of (\d+)/.exec(message.text())?.[1];
    const isAway = /net::ERR_/.test(message.text()) || expected.some((words) => message.text().includes(words));
    // An answer is judged once, as an answer, and so is a request that failed.
    if (status === undefined && !isAway) found.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    const address = request.url();
    if (!/^(?:data|blob):/.test(address) && !origins.has(new URL(address).origin)) found.push(`outside: ${address}`);
  });
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // The page was left, or asked for something else meanwhile.
    if (reason !== "net::ERR_ABORTED" && !mayBeAway) found.push(`failed: ${request.url()}: ${reason}`);
  });
  page.on("response", (response) => {
    const status = response.status();
    if (status >= 400) refused.push({ status, words: `answer ${status}: ${response.url()}` });
  });
  return {
    list: () => [...found, ...refused.filter(({ status }) => !allowed.has(status)).map(({ words }) => words)],
    allowOrigin: (origin) => void origins.add(origin),
    allowStatus(...statuses) {
      for (const status of statuses) allowed.add(status);
    },
    allowUnreachable() {
      mayBeAway = true;
    },
    allowConsole(words) {
      expected.push(words);
    },
  };
}
