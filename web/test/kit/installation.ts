import { Browser as HttpBrowser, invite, signedInAs } from "#test/browser";
import type { ShiftableClock } from "#test/clock";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { type OwnService, startService } from "#test/start-service";
import { startTcpProxy, type TcpProxy } from "#test/tcp-proxy";
import { startPathProxy } from "./path-proxy.ts";

/** A real service on SQLite that serves the built app, as browsers of the kit reach it. */
export interface Installation {
  readonly service: OwnService;
  readonly database: TestDatabase;
  /** Where it is for browsers, which the kit sends to the port that it really has. */
  readonly url: string;
  /** That port, with its host. */
  readonly host: string;
  close(): Promise<void>;
}

/** Absolute addresses in answers are made of this, so it must be known before there is a port. */
const ADDRESS = "http://localhost:8080";
const APP = new URL("../../dist/", import.meta.url);

export interface InstallationOptions {
  /** Chosen only for people who look at it by hand. */
  readonly port?: number;
  readonly clock?: ShiftableClock;
  /** The path below which a proxy serves it; empty: no proxy. */
  readonly below?: string;
}

export async function startInstallation({
  port = 0,
  clock,
  below = "",
}: InstallationOptions = {}): Promise<Installation> {
  const database = await openTestSqlite();
  const url = `${port === 0 ? ADDRESS : `http://localhost:${port}`}${below}`;
  const config = { baseUrl: url, gatewayUrl: url, orgName: "Acme", orgDomain: "acme.example", port };
  const service = await startService(database, { appFolder: APP, config, ...(clock && { clock }) });
  const proxy = below === "" ? undefined : await startPathProxy(below, service.url);
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

/** One that browsers reach through a proxy: it is where it says that it is, and can be taken away or started again. */
export interface ProxiedInstallation extends Installation {
  readonly proxy: TcpProxy;
  /** Another process over the same database; `appFolder`: with another build of the app. */
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

/** Somebody of this role, made and signed in over HTTP; their cookies are the page's. */
export function signIn({ service }: Installation, role: string, email?: string): Promise<HttpBrowser> {
  return signedInAs(service, role, email);
}

/** Somebody who is there already, likewise. */
export async function signInKnown({ service }: Installation, email: string): Promise<HttpBrowser> {
  const browser = new HttpBrowser(service);
  await browser.accept(await invite(service, email));
  return browser;
}
