import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import fc from "fast-check";
import { readBuiltInConnectors } from "#records/connectors";
import { seedFor } from "#test/seed";
import { Brand, contrast, inkOn } from "./brand-logo.ts";
import { createLogos } from "./logos.ts";
import { readLogos } from "./read-logos.ts";

const catalog = new URL("../../../catalog/", import.meta.url);
const brand: Brand = { hex: "FFD21E", path: "M0 0h24v24z" };
const connectors = new Map([
  ["hub", { name: "Hub", icon: "hub" }],
  ["plain", { name: "Élan" }],
  ["drawn", { name: "日本", icon: "gone" }],
]);
const logos = createLogos({ brands: new Map([["hub", brand]]), findConnector: (id) => connectors.get(id) });

describe("logos (D29, WEB-4)", () => {
  it("draws a letter", () => {
    assert.match(String(logos("letters/g.svg")), /^<svg [^>]*>.*>G<\/text><\/svg>$/);
    assert.match(String(logos("letters/mcp.svg")), />MCP<\/text><\/svg>$/);
  });

  it("draws a connector's mark on a tile in the brand's color", () => {
    assert.match(
      String(logos("connectors/hub.svg")),
      /^<svg .*fill="#FFD21E".* fill="#1A1A1A" d="M0 0h24v24z"\/><\/svg>$/,
    );
  });

  it("draws a letter for a connector without a mark and for a removed connector", () => {
    assert.equal(logos("connectors/plain.svg"), logos("letters/e.svg"));
    assert.equal(logos("connectors/drawn.svg"), logos("letters/mcp.svg"));
    assert.equal(logos("connectors/forgotten.svg"), logos("letters/f.svg"));
  });

  for (const path of [
    "",
    "letters/",
    "letters/ab.svg",
    "letters/A.svg",
    "letters/a.png",
    "letters/a.svg/x",
    "letters/%61.svg",
    "letters/<script>.svg",
    "letters/../../etc/passwd",
    "connectors/.svg",
    "connectors/-a.svg",
    "connectors/A.svg",
    "connectors/a.b.svg",
    "connectors/../logos.svg",
    "connectors/<script>.svg",
    "connectors/__proto__.svg",
    "servers/a.svg",
  ]) {
    it(`returns none for ${JSON.stringify(path)}`, () => assert.equal(logos(path), undefined));
  }

  it("gives every mark enough contrast to its tile", (test) => {
    const channel = fc.integer({ min: 0, max: 255 }).map((value) => value.toString(16).padStart(2, "0"));
    fc.assert(
      fc.property(fc.tuple(channel, channel, channel), (color) => {
        const hex = color.join("").toUpperCase();
        return contrast(inkOn(hex), hex) >= 3;
      }),
      { seed: seedFor(test), numRuns: 2_000 },
    );
  });

  it("accepts only a color and a path in a mark", () => {
    for (const wrong of [
      { ...brand, hex: "red" },
      { ...brand, path: 'M0 0"/><script>' },
      { ...brand, title: "Hub" },
    ]) {
      assert.equal(Brand.safeParse(wrong).success, false, JSON.stringify(wrong));
    }
  });

  it("reads the logos of the release", async () => {
    const { path } = JSON.parse(readFileSync(new URL("logos.json", catalog), "utf8")).github;
    const builtIn = await readBuiltInConnectors(new URL("connectors/", catalog));
    const read = await readLogos(new URL("logos.json", catalog), builtIn);
    assert.ok(read("connectors/github.svg")?.includes(`fill="#FFFFFF" d="${path}"`));
    assert.equal(read("connectors/monday.svg"), read("letters/m.svg"));
  });
});
