import { z } from "zod";

/** Only a hex color and SVG path commands are allowed, because they are inserted into an SVG document. */
export const Brand = z.strictObject({
  hex: z.string().regex(/^[0-9A-F]{6}$/),
  path: z.string().regex(/^[MmZzLlHhVvCcSsQqTtAa0-9,. -]+$/),
});

export type Brand = z.output<typeof Brand>;

const WHITE = "FFFFFF";
const INK = "1A1A1A";
const READABLE = 3; // WCAG 1.4.11: minimum contrast of graphics

/** The mark on a tile in the brand's color. The border separates dark tiles from dark pages and pale tiles from white ones. */
export function brandLogo({ hex, path }: Brand): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">` +
    `<rect x=".5" y=".5" width="63" height="63" rx="11.5" fill="#${hex}" stroke="#808080" stroke-opacity=".4"/>` +
    `<path transform="translate(14 14) scale(1.5)" fill="#${inkOn(hex)}" d="${path}"/></svg>`
  );
}

export function inkOn(hex: string): string {
  return contrast(WHITE, hex) >= READABLE ? WHITE : INK;
}

export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Relative luminance as WCAG 2 defines it. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
