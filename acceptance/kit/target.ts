/** The installation under test. */
export interface Target {
  readonly name: string;
  readonly url: string;
  readonly gatewayUrl: string;
  readonly token: string;
}

/** Passes the installations of global-setup.ts to the test files. */
export const SPAWNED = "ACCEPTANCE_SPAWNED";

/** The installation from the environment, if any. */
export function givenTarget(): Target | undefined {
  const url = process.env.ACCEPTANCE_URL;
  if (!url) return undefined;
  const token = process.env.ACCEPTANCE_TOKEN;
  if (!token) throw new Error("ACCEPTANCE_URL requires an API token of scope all in ACCEPTANCE_TOKEN");
  return { name: "given", url, gatewayUrl: process.env.ACCEPTANCE_GATEWAY_URL ?? url, token };
}

/** Off by default for a given installation, because it changes settings and floods the log. */
export function mayFuzz(): boolean {
  return givenTarget() === undefined || process.env.ACCEPTANCE_FUZZ === "on";
}
