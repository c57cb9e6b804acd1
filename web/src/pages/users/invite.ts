import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Api } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { notifyFailure } from "../../components/notify.tsx";
import type { Invited } from "./invite-link.tsx";
import { type User, usersKey } from "./users.ts";

export async function invite(api: Api, { name, email }: Pick<User, "name" | "email">): Promise<Invited> {
  const { data, invite_url: url } = await api.inviteUser({ query: { email } });
  return { name, url: url ?? "", expiresAt: data.expires_at, emailedTo: data.emailed_to };
}

/** Creates an invitation link and passes it on without caching it. */
export function useInvite(user: User, onInvited: (invited: Invited) => void) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => onInvited(await invite(api, user)),
    onSuccess: () => queries.invalidateQueries({ queryKey: usersKey }),
    onError: notifyFailure,
  });
}
