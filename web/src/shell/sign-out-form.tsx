import type { ReactNode, Ref } from "react";
import { withBasePath } from "../api/base-path.ts";
import { useApi, useMe } from "../api/context.tsx";

interface SignOutFormProps {
  readonly ref?: Ref<HTMLFormElement>;
  /** Ends all sessions of the user. */
  readonly everywhere?: boolean;
  readonly hidden?: boolean;
  readonly children?: ReactNode;
}

/** A form post instead of an API request: the response removes the cookie and shows the sign-in page. */
export function SignOutForm({ ref, everywhere = false, hidden = false, children }: SignOutFormProps) {
  const { data: me } = useMe();
  // Requests that arrive after the session ended would get 401, and the app would ask the user to sign in again.
  const { stop } = useApi();
  return (
    <form ref={ref} method="post" action={withBasePath("/sign-out")} hidden={hidden} onSubmit={stop}>
      <input type="hidden" name="csrf_token" value={me.csrf_token ?? ""} />
      {everywhere && <input type="hidden" name="everywhere" value="true" />}
      {children}
    </form>
  );
}
