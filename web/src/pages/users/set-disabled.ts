import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { notifyFailure } from "../../components/notify.tsx";
import { accessKey } from "../access/access.ts";
import { type User, usersKey } from "./users.ts";

/** Disables or enables a user. */
export function useSetDisabled({ email }: Pick<User, "email">) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (disabled: boolean) => api.updateUser({ query: { email }, body: { disabled } }),
    onSuccess: () => Promise.all([usersKey, accessKey].map((queryKey) => queries.invalidateQueries({ queryKey }))),
    onError: notifyFailure,
  });
}
