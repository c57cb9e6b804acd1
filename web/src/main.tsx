import { MantineProvider } from "@mantine/core";
import "@mantine/core/styles.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

const container = document.getElementById("root");
if (container) {
  createRoot(container).render(
    <StrictMode>
      <MantineProvider>
        <main>
          <h1>Gatehouse</h1>
        </main>
      </MantineProvider>
    </StrictMode>,
  );
}
