import { Browser as HttpBrowser, invite, signedInAs } from "#test/browser";
import type { ShiftableClock } from "#test/clock";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { type OwnService, startService } from "#test/start-service";

/** A real service on SQLite that serves the built app, as browsers of the kit reach it. */
export interface Installation {
  readonly service: OwnService;
  readonly database: TestDatabase;
  /** Where it is for browsers, which the kit sends to the port that it really has. */
  readonly url: string;
  close(): Promise<void>;
}

/** Absolute addresses in answers are made of this, so it must be known before there is a port. */
const ADDRESS = "http://localhost:8080";
const APP = new URL("../../dist/", import.meta.url);

/** With a port of its own only for people who look at it by hand. */
export async function startInstallation(port = 0, clock?: ShiftableClock): Promise<Installation> {
  const database = await openTestSqlite();
  const url = port === 0 ? ADDRESS : `http://localhost:${port}`;
  const config = { baseUrl: url, gatewayUrl: url, orgName: "Acme", orgDomain: "acme.example", port };
  const service = await startService(database, { appFolder: APP, config, ...(clock && { clock }) });
  return {
    service,
    database,
    url,
    async close() {
      await service.close();
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
