import { verb, YES } from "../verb.ts";

/** Verbs about one device. */

const device = verb({
  description: "Show a device, what was found on it, and what could not be read",
  args: ["id"],
  example: "gatehouse discovery device c0ffee",
  async run({ api, args, out }) {
    out.record((await api().getDiscoveryDevice({ path: { id: args.id } })).data);
  },
});

const assignDevice = verb({
  description: "Assign a device to a user; without an email, the reported one counts",
  args: ["id"],
  optional: "email",
  example: "gatehouse discovery assign-device c0ffee ada@example.com",
  async run({ api, args: { id }, rest: [email], out }) {
    const { data } = await api().updateDiscoveryDevice({ query: { id }, body: { user_email: email ?? null } });
    out.say(`The user of device \`${data.hostname}\` is ${data.user_email ?? "unknown"}.`);
    out.record(data);
  },
});

const retireDevice = verb({
  description: "Retire a device: remove what was found on it; a new report activates it again",
  args: ["id"],
  options: { yes: YES },
  example: "gatehouse discovery retire-device c0ffee --yes",
  async run({ api, args: { id }, out, confirm }) {
    await confirm(`Retire device \`${id}\` and remove everything that was found on it?`);
    const { data } = await api().updateDiscoveryDevice({ query: { id }, body: { status: "retired" } });
    out.say(`Retired device \`${data.hostname}\`.`);
    out.record(data);
  },
});

const deleteDevice = verb({
  description: "Delete a device and everything that it reported",
  args: ["id"],
  options: { yes: YES },
  example: "gatehouse discovery delete-device c0ffee --yes",
  async run({ api, args, out, confirm }) {
    await confirm(`Delete device \`${args.id}\` and everything that it reported?`);
    await api().deleteDiscoveryDevice({ query: { id: args.id } });
    out.say(`Deleted device \`${args.id}\`.`);
  },
});

export const deviceVerbs = {
  ...{ device, "assign-device": assignDevice, "retire-device": retireDevice, "delete-device": deleteDevice },
};
