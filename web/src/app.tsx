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

/** Everything around the pages; `nonce` is what the policy wants of every style that is made here (WEB-1). */
export function App({ nonce }: { nonce: string }) {
  const [isOver, setOver] = useState(false);
  const [api] = useState(() =>
    createApi({ onSignedOut: () => setOver(true), onUserChanged: openStartPage }, BASE_PATH),
  );
  const [queryClient] = useState(createQueryClient);
  const [router] = useState(() => createAppRouter());
  const session = useMemo(() => ({ isOver, resume: () => setOver(false) }), [isOver]);
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
