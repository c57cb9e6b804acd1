import { Browser as HttpBrowser, invite, signedInAs } from "#test/browser";
import type { ShiftableClock } from "#test/clock";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import type { SmtpSettings } from "#test/mail-server";
import type { DefaultProvider } from "#test/model-provider";
import { type OwnService, startService } from "#test/start-service";
import { startTcpProxy, type TcpProxy } from "#test/tcp-proxy";
import { startPathProxy } from "./path-proxy.ts";

/** A real service on SQLite that serves the built app. */
export interface Installation {
  readonly service: OwnService;
  readonly database: TestDatabase;
  /** The public URL. Test browsers resolve it to `host`. */
  readonly url: string;
  /** The actual host and port. */
  readonly host: string;
  close(): Promise<void>;
}

/** The base URL must be configured before the port is known. */
const BASE_URL = "http://localhost:8080";
const APP = new URL("../../dist/", import.meta.url);

export interface InstallationOptions {
  /** A fixed port for manual use. */
  readonly port?: number;
  readonly clock?: ShiftableClock;
  /** The base path under which a proxy serves it. Empty: no proxy. */
  readonly basePath?: string;
  /** The mail server. None if omitted. */
  readonly smtp?: SmtpSettings;
  /** Of agents. None if omitted. */
  readonly defaultProvider?: DefaultProvider;
}

export async function startInstallation({
  port = 0,
  clock,
  basePath = "",
  smtp,
  defaultProvider,
}: InstallationOptions = {}): Promise<Installation> {
  const database = await openTestSqlite();
  const url = `${port === 0 ? BASE_URL : `http://localhost:${port}`}${basePath}`;
  const organization = { orgName: "Acme", orgDomain: "acme.example" };
  const config = { baseUrl: url, gatewayUrl: url, ...organization, port, smtp, defaultProvider };
  const service = await startService(database, { appFolder: APP, config, ...(clock && { clock }) });
  const proxy = basePath === "" ? undefined : await startPathProxy(basePath, service.url);
  return {
    service,
    database,
    url,
    host: new URL(proxy?.origin ?? service.url).host,
    async close() {
      await proxy?.close();
      await service.close();
      await database.close();
    },
  };
}

/** An installation behind a TCP proxy, so that it can become unreachable and restart under the same URL. */
export interface ProxiedInstallation extends Installation {
  readonly proxy: TcpProxy;
  /** Starts a new service on the same database; `appFolder`: with another build of the app. */
  restart(appFolder?: URL): Promise<void>;
}

export async function startProxied(): Promise<ProxiedInstallation> {
  const database = await openTestSqlite();
  const target = { host: "127.0.0.1", port: 0 };
  const proxy = await startTcpProxy(target);
  const url = `http://127.0.0.1:${proxy.port}`;
  const config = { baseUrl: url, gatewayUrl: url, orgName: "Acme", orgDomain: "acme.example" };
  const start = async (appFolder = APP) => {
    const started = await startService(database, { appFolder, config });
    target.port = Number(new URL(started.url).port);
    return started;
  };
  let running = await start();
  return {
    get service() {
      return { ...running, url };
    },
    database,
    url,
    host: new URL(url).host,
    proxy,
    async restart(appFolder) {
      await running.close();
      running = await start(appFolder);
    },
    async close() {
      await proxy.close();
      await running.close();
      await database.close();
    },
  };
}

/** Creates a user with this role and signs them in. */
export function signIn({ service }: Installation, role: string, email?: string): Promise<HttpBrowser> {
  return signedInAs(service, role, email);
}

/** Signs in an existing user. */
export async function signInKnown({ service }: Installation, email: string): Promise<HttpBrowser> {
  const browser = new HttpBrowser(service);
  await browser.accept(await invite(service, email));
  return browser;
}
