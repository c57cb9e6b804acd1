import manifest from "../../../package.json" with { type: "json" };

/** The version of this release, as shown by `--version`, the API, the app, and to clients and upstreams. */
export const VERSION: string = manifest.version;
