// In a cascade layer, so that our style sheets win regardless of the chunk order.
import "@mantine/core/styles.layer.css";
import "@mantine/notifications/styles.layer.css";
import "./style/app.css";
import "./style/forced-colors.css";
import "./style/touch.css";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";

const nonce = document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? "";
// Mantine's scroll lock reads the nonce from get-nonce.
setNonce(nonce);

const container = document.getElementById("root");
if (container) {
  createRoot(container).render(
    <StrictMode>
      <App nonce={nonce} />
    </StrictMode>,
  );
}
