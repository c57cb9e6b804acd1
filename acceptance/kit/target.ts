/** An installation under judgement: everything that a black box needs to know of it. */
export interface Target {
  readonly name: string;
  readonly url: string;
  readonly gatewayUrl: string;
  readonly token: string;
}

/** By this the run's own installations, made by global-setup.ts, reach the test files. */
export const SPAWNED = "ACCEPTANCE_SPAWNED";

/** The installation that the environment names, if any. */
export function givenTarget(): Target | undefined {
  const url = process.env.ACCEPTANCE_URL;
  if (!url) return undefined;
  const token = process.env.ACCEPTANCE_TOKEN;
  if (!token) throw new Error("with ACCEPTANCE_URL, give an API token of scope all as ACCEPTANCE_TOKEN");
  return { name: "given", url, gatewayUrl: process.env.ACCEPTANCE_GATEWAY_URL ?? url, token };
}

/** Changes settings of the whole organization and floods its log: not to be done to an installation in use unasked. */
export function mayFuzz(): boolean {
  return givenTarget() === undefined || process.env.ACCEPTANCE_FUZZ === "on";
}
