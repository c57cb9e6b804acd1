/** A self-signed certificate for loopback, valid for a day around now. Node cannot create certificates. */
import { generateKeyPairSync, sign } from "node:crypto";

const DAY_MS = 24 * 60 * 60 * 1000;
const ECDSA_WITH_SHA256 = der(0x30, der(0x06, Buffer.from("2a8648ce3d040302", "hex")));

export function createSelfSigned(): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const commonName = der(0x30, der(0x06, Buffer.from("550403", "hex")), der(0x0c, Buffer.from("localhost")));
  const name = der(0x30, der(0x31, commonName));
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    ECDSA_WITH_SHA256,
    name,
    der(0x30, utcTime(Date.now() - DAY_MS), utcTime(Date.now() + DAY_MS)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, der(0x30, alternativeNames())),
  );
  const signature = der(0x03, Buffer.of(0), sign("sha256", body, privateKey));
  const encoded = der(0x30, body, ECDSA_WITH_SHA256, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${encoded.replaceAll(/(.{64})/g, "$1\n").trim()}\n-----END CERTIFICATE-----\n`,
  };
}

function alternativeNames(): Buffer {
  const names = der(0x30, der(0x82, Buffer.from("localhost")), der(0x87, Buffer.of(127, 0, 0, 1)));
  return der(0x30, der(0x06, Buffer.from("551d11", "hex")), der(0x04, names));
}

function utcTime(at: number): Buffer {
  const digits = new Date(at).toISOString().replaceAll(/\D/g, "");
  return der(0x17, Buffer.from(`${digits.slice(2, 14)}Z`));
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...head), content]);
}
