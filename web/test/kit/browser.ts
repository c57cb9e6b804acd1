import assert from "node:assert/strict";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import type { Browser as HttpBrowser } from "#test/browser";
import type { Installation } from "./installation.ts";
import { type Findings, watch } from "./watch.ts";

export interface PageOptions {
  /** If omitted, the page is not signed in. */
  readonly as?: HttpBrowser;
  readonly theme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
}

export interface TestBrowser {
  /**
   * Opens a page in a new context. Fails if the page violated the CSP, contacted another host, logged an error, or received
   * an error status that the test did not allow.
   */
  withPage<Result>(options: PageOptions, use: (page: Page, findings: Findings) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Without a window: the full browser sometimes stops drawing frames while the machine is busy, and then no click succeeds. */
const CHROMIUM = "/usr/bin/chromium-headless-shell";
const QUIET = ["--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
/** Long enough for a busy machine. */
const TIMEOUT_MS = 30_000;

const FRAME = "new Promise((resolve) => requestAnimationFrame(() => resolve(true)))";

/** Opens one browser for all tests of a file. */
export async function openBrowser(installation: Installation): Promise<TestBrowser> {
  const { host } = new URL(installation.url);
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [...QUIET, "--no-sandbox", `--host-resolver-rules=MAP ${host} ${installation.host}`],
  });
  return {
    async withPage({ as, theme = "light", width = 1280, height = 800 }, use) {
      const context = await browser.newContext({
        baseURL: installation.url,
        viewport: { width, height },
        colorScheme: theme,
        locale: "en-GB",
        timezoneId: "UTC",
        reducedMotion: "reduce",
      });
      context.setDefaultTimeout(TIMEOUT_MS);
      try {
        await addCookies(context, installation.url, as);
        const page = await context.newPage();
        const findings = await watch(page, installation.url);
        const result = await use(page, findings).catch((error: unknown) => describeFailure(page, findings, error));
        assert.deepEqual(findings.list(), [], "unexpected events on the page");
        return result;
      } finally {
        await context.close();
      }
    },
    close: () => browser.close(),
  };
}

/** Adds what the page shows, because a timeout alone does not tell why something is missing. */
async function describeFailure(page: Page, findings: Findings, error: unknown): Promise<never> {
  const text = await page.innerText("body", { timeout: 1000 }).catch(() => "(unreadable)");
  // Playwright's clicks wait for frames: without them, each click fails and the page is not to blame.
  const frame = page.waitForFunction(FRAME, undefined, { timeout: 1000 });
  const drawsFrames = await frame.then(Boolean, () => false);
  const shown = { url: page.url(), text: text.slice(0, 500), drawsFrames, findings: findings.list() };
  // The reporter shows the stack, which has the message as it was first.
  if (error instanceof Error) error.stack += `\n${JSON.stringify(shown, undefined, 2)}`;
  throw error;
}

/** Signs the pages of the context in as this user. */
export async function addCookies(context: BrowserContext, url: string, as: HttpBrowser | undefined): Promise<void> {
  const cookies = [...(as?.cookies ?? [])].map(([name, value]) => ({ name, value, url, httpOnly: true }));
  if (cookies.length > 0) await context.addCookies(cookies);
}
