import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Where `npm start` listens; everything that is not the app itself is asked there. */
const SERVICE = "http://127.0.0.1:8080";
const SERVED_BY_THE_SERVICE =
  "^/(api|mcp|oauth|connect|logos|docs|openapi\\.json|readyz|livez|sign-in|sign-out|sso|sso-callback|pages|setup-link|invite|account)(/|\\?|$)";

export default defineConfig({
  root: import.meta.dirname,
  // Files find each other wherever they are served from.
  base: "./",
  plugins: [react()],
  // WEB-1: the server puts a fresh nonce in its place with every page.
  html: { cspNonce: "__NONCE__" },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2023",
    assetsDir: "assets",
    // A data: address in a script or style would need a hole in the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
    // Read by tooling/shipped-packages.mjs.
    license: { fileName: "licenses.json" },
  },
  server: { host: "127.0.0.1", port: 5173, proxy: { [SERVED_BY_THE_SERVICE]: SERVICE } },
});
