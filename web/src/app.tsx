import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { BASE_PATH, withBasePath } from "./api/base-path.ts";
import { createApi } from "./api/client.ts";
import { ApiProvider } from "./api/context.tsx";
import { createQueryClient } from "./api/query-client.ts";
import { createAppRouter } from "./router.ts";
import { cssVariables, theme } from "./style/theme.ts";

/** The providers around the router. `nonce`: required by the CSP for generated styles (WEB-1). */
export function App({ nonce }: { nonce: string }) {
  const [isExpired, setExpired] = useState(false);
  const [api] = useState(() =>
    createApi({ onSignedOut: () => setExpired(true), onUserChanged: openStartPage }, BASE_PATH),
  );
  const [queryClient] = useState(createQueryClient);
  const [router] = useState(() => createAppRouter());
  const session = useMemo(() => ({ isExpired, resume: () => setExpired(false) }), [isExpired]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <Notifications position="bottom-right" autoClose={5000} limit={3} />
      <QueryClientProvider client={queryClient}>
        <ApiProvider api={api} session={session}>
          <RouterProvider router={router} />
        </ApiProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}

function openStartPage(): void {
  window.location.assign(withBasePath("/"));
}
