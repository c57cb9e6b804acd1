import { Switch, TagsInput, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import type { ServerForm } from "../../components/server-form.ts";
import type { IssuerValues } from "./issuer-values.ts";
import { issuersKey } from "./issuers.ts";

/** Accounts of people who have none, and groups that follow a claim. */
export function ProvisionFields({ form }: Pick<ServerForm<IssuerValues>, "form">) {
  const api = useApi();
  const { data: groups = [] } = useQuery({
    queryKey: [...issuersKey, "groups"],
    queryFn: async ({ signal }) =>
      (await api.listGroups({ query: { limit: 200 }, signal })).data.flatMap(({ name }) => name ?? []),
  });
  const { create_users: creates, group_claim: claim } = form.values;
  return (
    <>
      <Switch
        label="Create accounts on first exchange"
        description="Otherwise, tokens of people without an account are refused"
        {...form.getInputProps("create_users", { type: "checkbox" })}
      />
      {creates && (
        <TagsInput
          label="Groups of created accounts"
          description="New people join these groups"
          data={groups}
          {...form.getInputProps("groups")}
        />
      )}
      <TextInput
        label="Group claim"
        description="The claim that lists the person's groups at the issuer. Leave empty for none"
        placeholder="groups"
        {...form.getInputProps("group_claim")}
      />
      {claim.trim() !== "" && (
        <>
          <Textarea
            label="Group mapping"
            description="One line per group: the issuer's group = the group here"
            placeholder="idp-finance = Finance"
            autosize
            minRows={2}
            maxRows={10}
            {...form.getInputProps("group_map")}
          />
          <Switch
            label="Sync groups at every exchange"
            description="Adds people to the mapped groups and removes them, as the claim says. Otherwise, only new accounts join"
            {...form.getInputProps("sync_groups", { type: "checkbox" })}
          />
        </>
      )}
    </>
  );
}
