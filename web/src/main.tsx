// In a layer, so that our own style sheets win in whatever order the chunks come.
import "@mantine/core/styles.layer.css";
import "@mantine/notifications/styles.layer.css";
import "./style/app.css";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";

const nonce = document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? "";
// Mantine's way to hold the page still behind a dialog asks there.
setNonce(nonce);

const container = document.getElementById("root");
if (container) {
  createRoot(container).render(
    <StrictMode>
      <App nonce={nonce} />
    </StrictMode>,
  );
}
