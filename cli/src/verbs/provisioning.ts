import { badUsage } from "../failure.ts";
import { type Noun, verb, YES } from "../verb.ts";

const status = verb({
  description: "Show the SCIM URL, what the identity provider manages, and its last requests",
  example: "gatehouse provisioning status",
  async run({ api, out }) {
    out.record((await api().getProvisioning({})).data);
  },
});

const detach = verb({
  description: "Detach people and groups from SCIM, if the identity provider is gone",
  options: {
    user: { type: "list", hint: "email", description: "a person; repeat for more" },
    group: { type: "list", hint: "name", description: "a group; repeat for more" },
    all: { type: "flag", description: "all people and groups" },
    yes: YES,
  },
  example: "gatehouse provisioning detach --user ada@example.com",
  async run({ api, options, out, confirm }) {
    const { user: emails = [], group: groups = [], all = false } = options;
    if (!all && emails.length + groups.length === 0) throw badUsage("Pass --user, --group, or --all.");
    if (all) await confirm("Detach all people and groups from SCIM?");
    const { data } = await api().detachFromScim({ body: { emails: [...emails], groups: [...groups], all } });
    out.say(`Detached ${data.users_count} people and ${data.groups_count} groups from SCIM.`);
    out.record(data);
  },
});

export const provisioning: Noun = {
  description: "People and groups that an identity provider manages through SCIM",
  verbs: { status, detach },
  example: "gatehouse provisioning status",
};
