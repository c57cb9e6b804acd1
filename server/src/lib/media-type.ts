const TYPES: Readonly<Record<string, string>> = {
  bash: "application/x-sh",
  css: "text/css",
  csv: "text/csv",
  gif: "image/gif",
  html: "text/html",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: "text/javascript",
  json: "application/json",
  md: "text/markdown",
  mjs: "text/javascript",
  pdf: "application/pdf",
  png: "image/png",
  py: "text/x-python",
  rb: "text/x-ruby",
  sh: "application/x-sh",
  svg: "image/svg+xml",
  toml: "application/toml",
  ts: "text/x-typescript",
  ttf: "font/ttf",
  txt: "text/plain",
  wasm: "application/wasm",
  webp: "image/webp",
  woff2: "font/woff2",
  xml: "application/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
  zip: "application/zip",
};

/** The media type of a file, by the extension of its path. */
export function mediaTypeOf(path: string, isText: boolean): string {
  const extension = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  const known = Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined;
  return known ?? (isText ? "text/plain" : "application/octet-stream");
}
