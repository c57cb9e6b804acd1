import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** vite writes it, because it knows which packages the admin app contains. */
export const APP_PACKAGES = "web/dist/licenses.json";

/**
 * The entries of the lock file whose code a release contains: production packages, and those in the built admin app. Without a
 * built app, only the former.
 */
export function shippedPackages(root) {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const inApp = packagesInApp(join(root, APP_PACKAGES));
  return Object.entries(packages).filter(([path, { version, dev, devOptional }]) => {
    const isProduction = !dev && !devOptional;
    return path !== "" && (isProduction || inApp.has(`${packageName(path)} ${version}`));
  });
}

export function packageName(path) {
  return path.replace(/^.*node_modules\//, "");
}

function packagesInApp(path) {
  const listed = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : [];
  return new Set(listed.map(({ name, version }) => `${name} ${version}`));
}
