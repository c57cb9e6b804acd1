import type { FastifyReply, FastifyRequest } from "fastify";
import { randomBase62 } from "#lib/random";
import type { ApiContext } from "./api-context.ts";
import { readCookie, setCookie } from "./cookies.ts";

const VALID_MS = 90 * 24 * 60 * 60 * 1000;
const ID_LENGTH = 22;
const PLACE = { table: "", row: "", column: "device-cookie" };

interface Device {
  readonly id: string;
  readonly userId: string;
  readonly at: number;
}

type DeviceContext = Pick<ApiContext, "vault" | "clock" | "baseUrl">;

/**
 * Marks a browser in which this person signed in. The cookie gives no access; it only keeps others from making the person
 * wait (decision 0058). It is sealed, so it cannot be forged.
 */
export function rememberDevice(
  context: DeviceContext & Pick<ApiContext, "random">,
  reply: FastifyReply,
  userId: string,
): void {
  const device: Device = { id: randomBase62(context.random, ID_LENGTH), userId, at: context.clock.now() };
  setCookie(context.baseUrl, reply, "device", context.vault.seal("mcp-session", PLACE, JSON.stringify(device)));
}

/** The person who signed in in this browser last, and the ID of the browser; undefined: none, or too long ago. */
export function knownDevice({ vault, clock, baseUrl }: DeviceContext, request: FastifyRequest): Device | undefined {
  const cookie = readCookie(baseUrl, request, "device");
  const text = cookie === undefined ? undefined : vault.openPresented("mcp-session", PLACE, cookie);
  if (text === undefined) return undefined;
  const device: Device = JSON.parse(text); // only `rememberDevice` seals for this place
  return Math.abs(clock.now() - device.at) < VALID_MS ? device : undefined;
}
